import type {AgentState, Event} from '../../events/event.ts';
import {elapsedMs} from '../../lib/text/duration.ts';
import {defined} from '../../lib/values.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {measuredBy, summedUp} from '../../state/agent/awaiting.ts';
import {wrongClaims} from '../../state/agent/compared.ts';
import {criteriaOf} from '../../state/agent/criteria.ts';
import type {Updates} from '../../state/agent/updates.ts';
import {notesBesideClaims} from '../../state/agent/work-notes.ts';
import type {ReportDetail} from '../../state/items/work-detail.ts';

export type Spent = {
	readonly tokens: number;
	readonly cost: Readonly<Record<string, number>>;
};

export type StateMove = {readonly at: string; readonly to: AgentState; readonly why: string};

export type AgentReport = Pick<
	Agent,
	('id' | 'requestedBy' | 'state' | 'why' | 'workedMs') | ('checkpoints' | 'errors' | 'violations')
> & {
	readonly subtask: string;
	readonly goal?: string;
	/** Agents with the same subtask. */
	readonly rivals?: readonly string[];
	readonly scope: readonly string[];
	readonly moves: readonly StateMove[];
	/** Time in which it waited for a person, at a checkpoint or finished, in milliseconds. */
	readonly waitedMs: number;
	readonly turns: number;
	/** Number of the blockers among its checkpoints. */
	readonly blockers: number;
	readonly questions: number;
	/** Number of files in its work. */
	readonly files: number;
	/** The agent's title for its work. */
	readonly title?: string;
	readonly summary?: string;
	readonly deliverables: readonly {readonly path: string; readonly holds: boolean}[];
	readonly metricsAchieved?: unknown;
	readonly findings: readonly string[];
	readonly reportedErrors: Updates['errors'];
	/** Sentences about its wrong claims. */
	readonly wrong: readonly string[];
	/** Further notes on its work, a sentence each. */
	readonly notes: readonly string[];
} & Agent['violationCounts'] &
	Pick<
		ReportDetail,
		('metrics' | 'criteria' | 'recommendations' | 'created' | 'counts') | ('results' | 'phases')
	> &
	Partial<Spent>;

export const agentReport = (
	agent: Agent,
	events: readonly Event[],
	{
		spent,
		rivals,
		checked,
		questions,
	}: {
		readonly spent: Spent | undefined;
		readonly rivals: readonly string[];
		/** Result of the check of a merge with its work. */
		readonly checked: string | undefined;
		/** Number of questions that it asked, in any way. */
		readonly questions: number;
	},
): AgentReport => {
	const {id, subtask, requestedBy, state, why, report, updates, snapshots, violationCounts} = agent;
	const moves = movesOf(id, events);
	return {
		id,
		subtask: subtask.subtask,
		scope: subtask.scope.allowed,
		state,
		why,
		moves,
		workedMs: agent.workedMs,
		waitedMs: waitedMs(moves),
		turns: agent.turn.number,
		checkpoints: agent.checkpoints,
		blockers: blockersOf(id, events),
		questions,
		errors: agent.errors,
		reverted: violationCounts.reverted,
		blocked: violationCounts.blocked,
		violations: agent.violations,
		files: snapshots.at(-1)?.files ?? 0,
		deliverables: (snapshots.at(-1)?.claims ?? []).map(({claim, holds}) => ({path: claim, holds})),
		metrics: subtask.metrics,
		criteria: criteriaOf(agent, checked),
		recommendations: report?.recommendations ?? [],
		created: updates.created,
		counts: updates.counts,
		results: summedUp(agent),
		findings: updates.findings.map(({finding}) => finding),
		phases: updates.phases,
		reportedErrors: updates.errors,
		wrong: wrongClaims(agent).map(({claim}) => claim),
		notes: notesBesideClaims(agent),
		...defined({
			goal: subtask.goal,
			requestedBy,
			rivals: rivals.length === 0 ? undefined : rivals,
			title: updates.title,
			summary: updates.summary?.value,
			metricsAchieved: measuredBy(agent) ?? undefined,
			tokens: spent?.tokens,
			cost: spent?.cost,
		}),
	};
};

const movesOf = (id: string, events: readonly Event[]): readonly StateMove[] =>
	events.flatMap(event =>
		event.kind === 'agent.moved' && event.agent === id
			? [{at: event.at, to: event.to, why: event.why}]
			: [],
	);

const waitedMs = (moves: readonly StateMove[]): number =>
	moves.reduce((sum, {at, to}, position) => {
		const next = moves[position + 1];
		return next !== undefined && (to === 'CHECKPOINT' || to === 'COMPLETE')
			? sum + elapsedMs(at, next.at)
			: sum;
	}, 0);

const blockersOf = (id: string, events: readonly Event[]): number =>
	events.filter(
		event =>
			event.kind === 'signal.said' && event.agent === id && event.signal.kind === 'stop_work',
	).length;
