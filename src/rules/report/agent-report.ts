import type {AgentState, Event} from '../../events/event.ts';
import {elapsedMs} from '../../lib/text/duration.ts';
import {defined} from '../../lib/values.ts';
import type {ResultRow} from '../../signals/definitions/result.ts';
import type {Agent, Violation} from '../../state/agent/agent.ts';
import {measuredBy, summedUp} from '../../state/agent/awaiting.ts';
import {wrongClaims} from '../../state/agent/compared.ts';
import {type Criterion, criteriaOf} from '../../state/agent/criteria.ts';
import type {Updates} from '../../state/agent/updates.ts';
import {notesBesideClaims} from '../../state/agent/work-notes.ts';

/** Reported usage of an agent. */
export type Spent = {
	readonly tokens: number;
	/** Money, by currency. */
	readonly cost: Readonly<Record<string, number>>;
};

export type StateMove = {readonly at: string; readonly to: AgentState; readonly why: string};

/** Report on one agent. */
export type AgentReport = {
	readonly id: string;
	readonly subtask: string;
	readonly goal?: string;
	readonly requestedBy?: string;
	/** Agents with the same subtask. */
	readonly rivals?: readonly string[];
	readonly scope: readonly string[];
	readonly state: AgentState;
	readonly why: string;
	readonly moves: readonly StateMove[];
	/** Milliseconds in which a turn of it ran. */
	readonly workedMs: number;
	/** Milliseconds in which it waited for a person, at a checkpoint or finished. */
	readonly waitedMs: number;
	readonly turns: number;
	/** Its checkpoints, and how many of them were blockers. */
	readonly checkpoints: number;
	readonly blockers: number;
	readonly questions: number;
	readonly errors: number;
	/** How often something outside its scope was reverted, and how often something was refused. */
	readonly reverted: number;
	readonly blocked: number;
	/** The first violations. */
	readonly violations: readonly Violation[];
	/** Files in its work. */
	readonly files: number;
	/** Its own title for its work, the files that it says it created, and its counts. */
	readonly title?: string;
	readonly created: readonly string[];
	readonly counts: readonly number[];
	readonly summary?: string;
	readonly deliverables: readonly {readonly path: string; readonly holds: boolean}[];
	readonly metrics: readonly string[];
	readonly metricsAchieved?: unknown;
	/** Each of them, with what the plan's checks said where it asks only that tests pass. */
	readonly criteria: readonly Criterion[];
	readonly recommendations: readonly string[];
	readonly results: readonly ResultRow[];
	readonly findings: readonly string[];
	/** Phases that it said are done, and errors that it met. */
	readonly phases: Updates['phases'];
	readonly reportedErrors: Updates['errors'];
	/** Its wrong claims. */
	readonly wrong: readonly string[];
	/** Further notes on its work, a sentence each. */
	readonly notes: readonly string[];
} & Partial<Spent>;

/** Returns the report of an agent as it stands after all events of its session. */
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
		/** Result of the check of a result with its work. */
		readonly checked: string | undefined;
		/** How many questions it asked, in whatever way. */
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
