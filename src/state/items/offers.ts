import type {Snapshot} from '../agent/agent.ts';
import {agentOf} from '../select.ts';
import type {State} from '../state.ts';

/** The way to end the agent that an item is about. */
export const abortOffer = {
	choice: {verb: 'abort'},
	label: 'End this agent; its work is kept',
} as const;

/** Returns the snapshots that an agent's worktree can be set back to. */
export const snapshotsOf = (state: State, agent: string): readonly Snapshot[] =>
	agentOf(state, agent)?.snapshots ?? [];

/** Returns the ways to have an agent try again from one of its snapshots; the label ends in which one. */
export const retriesFrom = (state: State, agent: string, label: string) =>
	snapshotsOf(state, agent).map(
		({number}) =>
			({
				choice: {verb: 'retry-from', snapshot: number},
				label: `${label} snapshot ${number}`,
				note: 'optional',
			}) as const,
	);

/** Prints a choice of which one names a snapshot. */
export const retryWords = (choice: RetryChoice): string =>
	'snapshot' in choice ? `${choice.verb}:${choice.snapshot}` : choice.verb;

type RetryChoice = {readonly verb: string} | {readonly verb: string; readonly snapshot: number};

/** Returns why no agent of that id can be added, if none can. */
export const whyNotAdd = (state: State, id: string): string | undefined =>
	agentOf(state, id) ? `There is an agent ${id} already.` : undefined;
