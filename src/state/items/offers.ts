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

/** Returns why no agent of that id can be added, if none can. */
export const whyNotAdd = (state: State, id: string): string | undefined =>
	agentOf(state, id) ? `There is an agent ${id} already.` : undefined;
