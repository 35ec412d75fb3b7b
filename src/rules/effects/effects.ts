import type {Body} from '../../events/event.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {State} from '../../state/state.ts';
import {affordable, pauses} from '../disk.ts';
import {checkEffects} from './checking.ts';
import {clearings} from './clearing.ts';
import {commandEffects} from './commands.ts';
import {type Effect, keyed, type Owed, timerOf} from './effect.ts';
import {dueEnd} from './end.ts';
import {mergeEffects, mergeEvents} from './merging.ts';
import {modelTimers} from './model-retry.ts';
import {dueMoves} from './moves.ts';
import {policyDecisions} from './policy.ts';
import {isStill, retryOf} from './retries.ts';
import {turnEffects, turnTimers} from './turns.ts';

/**
Returns all that is owed in a state.

It looks at what is true and not at what happened last, so a restart is the normal path: fold the journal, ask what is owed. While events are owed no effect is: they may change what is to be done.
*/
export const owed = (state: State): Owed => {
	if (!state.session || state.session.ended) {
		return nothing;
	}

	const events = dueEvents(state);
	return events.length > 0
		? {...nothing, events}
		: withRetries(state, affordable(state, wanted(state)));
};

const nothing: Owed = {events: [], effects: [], timers: []};

const dueEvents = (state: State): readonly Body[] => {
	const moves = [...pauses(state), ...dueMoves(state)];
	if (moves.length > 0) {
		return moves;
	}

	const others = [...policyDecisions(state), ...mergeEvents(state)];
	return others.length > 0 ? others : dueEnd(state);
};

const wanted = (state: State): readonly Effect[] => [
	...state.agents.flatMap(agent => [
		...workspaces(state, agent),
		...agent.wanted.map(reason => keyed({do: 'snapshot', agent: agent.id, reason})),
	]),
	...turnEffects(state),
	...commandEffects(state),
	...mergeEffects(state),
	...checkEffects(state),
	...clearings(state),
];

const workspaces = (state: State, agent: Agent): readonly Effect[] => {
	const {id, rework, restore, granted} = agent;
	// Whoever works in its worktree finds nothing changed under their hands.
	if (agent.verdict.kind === 'cancelled' || !isStill(state, agent) || agent.visits !== undefined) {
		return [];
	}

	if (rework !== undefined) {
		return [{...keyed({do: 'rework', agent: id}), onto: rework}];
	}

	if (agent.workspace.phase === 'wanted') {
		return agent.state === 'SPAWNING' ? [keyed({do: 'prepare', agent: id})] : [];
	}

	if (restore !== undefined) {
		return [keyed({do: 'restore', agent: id, number: restore})];
	}

	return granted === undefined
		? []
		: [{...keyed({do: 'bring-back', agent: id, since: granted.since}), paths: granted.paths}];
};

/** What has failed before waits for its next try; what failed for good is no longer tried. */
const withRetries = (state: State, effects: readonly Effect[]): Owed => {
	const retries = effects.map(effect => ({effect, retry: retryOf(state, effect.key)}));
	return {
		events: [],
		effects: retries.filter(({retry}) => retry.kind === 'now').map(({effect}) => effect),
		timers: [
			...turnTimers(state),
			...modelTimers(state),
			...retries.flatMap(({retry}) => (retry.kind === 'at' ? [timerOf(retry)] : [])),
		],
	};
};
