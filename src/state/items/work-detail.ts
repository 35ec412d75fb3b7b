import type {BodyOf, Claim} from '../../events/event.ts';
import type {AcceptedBreakage, LogFile, Looked} from '../../events/kinds/merge-event.ts';
import type {TargetMove} from '../../events/target-move.ts';
import {counted, valueText} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import type {ResultRow} from '../../signals/definitions/result.ts';
import {type Agent, lastSnapshot, reviewedSnapshot, type SnapshotCheck} from '../agent/agent.ts';
import {mostFiles} from '../agent/allowance.ts';
import {measuredBy, resultsOf} from '../agent/awaiting.ts';
import {claimed} from '../agent/claimed.ts';
import {checkOfWork, claimsOf} from '../agent/compared.ts';
import {type Criterion, criteriaOf, criteriaOfPlan, testsRun} from '../agent/criteria.ts';
import type {Updates} from '../agent/updates.ts';
import {violationsOf} from '../agent/violations.ts';
import {resultNotes, workNotes} from '../agent/work-notes.ts';
import {lookedText} from '../merge/attribution-text.ts';
import type {Verified} from '../merge/merge.ts';
import {surfaceNotes} from '../merge/surface-notes.ts';
import {agentOf} from '../select.ts';
import type {State} from '../state.ts';
import type {ItemContext} from './kind.ts';

/** Git's facts about an agent's work. */
export type WorkDetail = Notes & {
	readonly files: number;
	/** Paths outside its scope that it changed in any of its turns; its work has none of them. */
	readonly outside: readonly string[];
	/** Refused requests outside its scope. */
	readonly blocked: readonly string[];
	readonly claims: readonly Claim[];
	/** Result of the plan's checks on exactly this work, if they ran. */
	readonly tests_run: SnapshotCheck | null;
	/** Snapshot that was last reviewed, since which its work is new; null if all of it is new. */
	readonly reviewed: {readonly snapshot: number; readonly commit: string} | null;
	/** Commits before and after its work. */
	readonly from: string;
	readonly to: string;
};

/** Facts of git and the check about a result. */
export type ResultDetail = Notes & {
	readonly agents: readonly string[];
	readonly files: number;
	/** Reverted changes of its agents outside their scopes. */
	readonly outside: readonly {readonly agent: string; readonly path: string}[];
	/** Commits before and after it. */
	readonly from: string;
	readonly to: string;
	readonly checked: Verified['commands'];
	readonly log: LogFile | null;
	/** Criteria of the plan, with each agent's measurements. */
	readonly criteria: readonly Criterion[];
	readonly measured: readonly string[];
	readonly moved?: TargetMove;
	readonly message?: string;
	/** Sentence about how it was compared for breakages. */
	readonly compared: string;
	readonly looked?: Looked;
	readonly accepted?: readonly AcceptedBreakage[];
};

/** Notes for the reviewer, a sentence each. */
type Notes = {readonly notes?: readonly string[]};

/** Returns git's facts about an agent's work; nothing before its first snapshot. */
export const workDetail = (
	state: State,
	id: string,
	{collisions}: Pick<ItemContext, 'collisions'>,
): Partial<WorkDetail> => {
	const agent = agentOf(state, id);
	const snapshot = agent && lastSnapshot(agent);
	if (agent === undefined || snapshot === undefined) {
		return {};
	}

	const {reverted, stuck, blocked} = violationsOf(agent);
	const since = reviewedSnapshot(agent);
	return {
		files: snapshot.files,
		outside: [...reverted, ...stuck],
		blocked,
		claims: claimsOf(agent),
		tests_run: checkOfWork(agent) ?? null,
		reviewed: since === undefined ? null : {snapshot: since.number, commit: since.work},
		from: snapshot.startingPoint.base,
		to: snapshot.work,
		...notesDetail([
			...collisions(id),
			...surfaceNotes(snapshot.surface ?? []),
			...workNotes(agent),
			...(snapshot.files > mostFiles(state, agent)
				? [
						`It has changed ${counted(snapshot.files, 'file')}, more than ${mostFiles(state, agent)}.`,
					]
				: []),
		]),
	};
};

/** Returns git's facts and the check of the result that waits for a person; empty if there is none. */
export const resultDetail = (state: State): Partial<ResultDetail> => {
	const {merge} = state;
	return merge.phase === 'verified'
		? {
				agents: merge.built.agents,
				files: merge.built.files,
				outside: outsideOf(state, merge.built.agents),
				from: merge.built.tip,
				to: merge.built.commit,
				checked: merge.verified.commands,
				log: merge.verified.log,
				...criteriaDetail(state, merge.built.agents, merge.verified),
				...defined({moved: merge.built.moved, message: messageOf(merge.built)}),
				compared: lookedText(merge.built.looked, merge.built.accepted?.length ?? 0).text,
				looked: merge.built.looked,
				...defined({accepted: merge.built.accepted}),
				...notesDetail([...surfaceNotes(merge.built.surface ?? []), ...resultNotes(state)]),
			}
		: {};
};

const criteriaDetail = (
	{agents, session}: State,
	ids: readonly string[],
	{ok, commands}: Verified,
): Pick<ResultDetail, 'criteria' | 'measured'> => {
	const checked =
		commands.length === 0 ? undefined : testsRun('the check of the result', {ok, commands});
	const criteria = criteriaOfPlan(session?.plan.success ?? [], checked);
	const told = agents.filter(agent => ids.includes(agent.id) && measuredBy(agent) !== null);
	return {
		criteria,
		measured:
			criteria.length === 0
				? []
				: told.map(agent => `${agent.id}: ${valueText(measuredBy(agent))}`),
	};
};

const outsideOf = (state: State, agents: readonly string[]): ResultDetail['outside'] =>
	agents.flatMap(id => {
		const agent = agentOf(state, id);
		const {reverted, stuck} = agent === undefined ? {reverted: [], stuck: []} : violationsOf(agent);
		return [...reverted, ...stuck].map(path => ({agent: id, path}));
	});

const notesDetail = (notes: readonly string[]): Notes => (notes.length === 0 ? {} : {notes});

/** An agent's report on its work as a whole. */
export type ReportDetail = {
	/** Form in which it reported completion. */
	readonly ended?: string;
	readonly deliverables: readonly string[];
	/** Metrics of the plan and the agent's measurements. */
	readonly metrics: readonly string[];
	readonly metrics_achieved: unknown;
	/** Criteria, with the checks' results for tests. */
	readonly criteria: readonly Criterion[];
	readonly recommendations: readonly string[];
	/** The agent's title for its work; `title` is the item's. */
	readonly work_title: string | null;
	readonly created: readonly string[];
	readonly counts: readonly number[];
	readonly summary: string | null;
	readonly results: readonly ResultRow[];
	readonly phases: Updates['phases'];
	readonly errors: Updates['errors'];
	readonly findings: Updates['findings'];
};

/** Returns an agent's report on its work; empty for an unknown agent. */
export const reportDetail = (agent: Agent | undefined): Partial<ReportDetail> =>
	agent === undefined
		? {}
		: {
				deliverables: agent.report?.deliverables ?? claimed(agent).map(({path}) => path),
				metrics: agent.subtask.metrics,
				metrics_achieved: measuredBy(agent),
				criteria: criteriaOf(agent),
				recommendations: agent.report?.recommendations ?? [],
				work_title: agent.updates.title ?? null,
				created: agent.updates.created,
				counts: agent.updates.counts,
				summary: agent.updates.summary?.value ?? null,
				results: resultsOf(agent),
				phases: agent.updates.phases,
				errors: agent.updates.errors,
				findings: agent.updates.findings,
			};

/** Returns the messages of a result's commits. */
const messageOf = ({
	message,
	commits,
}: Pick<BodyOf<'merge.built'>, 'message' | 'commits'>): string | undefined =>
	commits === undefined
		? message
		: [`${commits.length} commits:\n`, ...commits.map(each => each.message)].join('\n');
