import type {Agent} from '../agent/agent.ts';
import {isSettled, lastSnapshot} from '../select.ts';
import type {State} from '../state.ts';
import type {Merge, Resolution, SettledItem} from './merge.ts';

/**
Returns the agents whose work is accepted and not merged yet, in the order in which it is merged.

That is the order of the plan, but for work that was made on top of other work: it comes after what it stands on.
*/
export const acceptedAgents = (state: State): readonly Agent[] =>
	basesFirst(
		state.agents.filter(
			agent =>
				agent.arbitrates === undefined &&
				isSettled(agent) &&
				(agent.state === 'COMPLETE' || agent.state === 'FAILED'),
		),
	);

const basesFirst = (agents: readonly Agent[]): readonly Agent[] => {
	const stands = (agent: Agent): boolean => {
		const onto = lastSnapshot(agent)?.startingPoint.onto ?? [];
		return agents.some(({id}) => onto.includes(id));
	};

	// Two that stand on each other have no order of their own; the plan's is as good as any.
	const next = agents.find(agent => !stands(agent)) ?? agents[0];
	return next === undefined ? [] : [next, ...basesFirst(agents.filter(agent => agent !== next))];
};

/** Returns the agents whose work is to be merged now: all of it, once every agent is accepted or out of the session. */
export const agentsToMerge = (state: State): readonly Agent[] =>
	state.agents.every(isSettled) ? acceptedAgents(state) : [];

/** Returns whose work the merge that is under way is about. */
export const membersOf = (merge: Merge): readonly string[] => {
	switch (merge.phase) {
		case 'none':
			return [];
		case 'blocked':
		case 'failed':
			return merge.agents;
		case 'built':
		case 'verified':
		case 'approved':
		case 'intended':
			return merge.built.agents;
	}
};

/** Returns the state in which that work could not be put together. */
export const withoutResult = (state: State, phase: 'blocked' | 'failed'): State => ({
	...state,
	merge: {phase, agents: agentsToMerge(state).map(({id}) => id)},
});

/** Returns the items of which files were taken; each is open again if that left it unsettled. */
export const reopenable = (
	resolutions: readonly Resolution[],
): readonly (SettledItem & {
	readonly paths: readonly string[];
	readonly owners: readonly string[];
})[] =>
	resolutions.flatMap(resolution =>
		resolution.choice === 'manual' && resolution.settles !== undefined
			? [
					{
						...resolution.settles,
						paths: resolution.files.map(({path}) => path),
						owners: [...resolution.a, ...resolution.b],
					},
				]
			: [],
	);

/** Returns what was decided about the work of some agents, with each other and with the target. */
export const resolutionsAmong = (
	resolutions: readonly Resolution[],
	agents: readonly string[],
): readonly Resolution[] =>
	resolutions.filter(({a, b}) =>
		[...a, ...b].every(name => name === 'target' || agents.includes(name)),
	);
