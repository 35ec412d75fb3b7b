import type {LeftOut} from '../../events/kinds/merge-event.ts';
import {enumerated} from '../../lib/text/words.ts';
import {type Agent, lastSnapshot} from '../agent/agent.ts';
import {agentOf, isSettled} from '../select.ts';
import type {State} from '../state.ts';
import type {Merge, Resolution, SettledItem} from './merge.ts';

/**
Returns the agents with accepted work that is not merged yet, in merge order.

That is the plan's order, except that stacked work follows the work below it.
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

	// Two that are stacked on each other have no order; the plan's is as good as any.
	const next = agents.find(agent => !stands(agent)) ?? agents[0];
	return next === undefined ? [] : [next, ...basesFirst(agents.filter(agent => agent !== next))];
};

/** Returns the agents whose work is merged now: those that a person wants without waiting, otherwise all once every agent is accepted or out of the session. */
export const agentsToMerge = (state: State): readonly Agent[] => {
	const accepted = acceptedAgents(state);
	const now = accepted.filter(({verdict}) => verdict.kind === 'accepted' && verdict.now);
	return now.length > 0 ? now : state.agents.every(isSettled) ? accepted : [];
};

/** Returns whether the current merge is the session's only one: nothing was merged before, and nothing follows. */
export const isMergedWhole = (state: State): boolean =>
	state.agents.every(isSettled) &&
	agentsToMerge(state).length === acceptedAgents(state).length &&
	!state.publications.some(({phase}) => phase === 'standing');

/** Returns the agents whose work is being merged, or is about to be. */
export const mergedNow = (state: State): readonly string[] =>
	state.merge.phase === 'none' ? agentsToMerge(state).map(({id}) => id) : membersOf(state.merge);

/** Merges accepted work now, together with the work that was taken beside it. */
export const withMergedNow = (state: State, ids: readonly string[]): State => {
	const chosen = new Set(ids);
	// Iteration over a set includes the members that are added meanwhile.
	for (const id of chosen) {
		const verdict = agentOf(state, id)?.verdict;
		for (const other of (verdict?.kind === 'accepted' && verdict.beside) || []) {
			chosen.add(other);
		}
	}

	return {
		...state,
		agents: state.agents.map(agent =>
			chosen.has(agent.id) && agent.verdict.kind === 'accepted'
				? {...agent, verdict: {...agent.verdict, now: true}}
				: agent,
		),
	};
};

export const membersOf = (merge: Merge): readonly string[] =>
	'built' in merge ? merge.built.agents : 'agents' in merge ? merge.agents : [];

/** Records that the merge could not be built. */
export const withoutResult = (state: State, phase: 'blocked' | 'failed'): State => ({
	...state,
	merge: {phase, agents: agentsToMerge(state).map(({id}) => id)},
});

/** Returns the items whose files were taken; each is opened again if that did not settle it. */
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

/** Returns the resolutions of conflicts among some agents and the target. */
export const resolutionsAmong = (
	resolutions: readonly Resolution[],
	agents: readonly string[],
): readonly Resolution[] =>
	resolutions.filter(({a, b}) =>
		[...a, ...b].every(name => name === 'target' || agents.includes(name)),
	);

/** Returns the authors of a path in the result, of the agents that changed it, without those whose change was dropped in a conflict. */
export const authorsOf = (
	leftOut: readonly LeftOut[],
	path: string,
	changedBy: readonly string[],
): readonly string[] => {
	const losers = leftOut.filter(one => one.path === path && !one.inPart).flatMap(({of}) => of);
	return changedBy.filter(id => !losers.includes(id));
};

/** Returns the parts of agents' work that a result with these resolutions omits. */
export const leftOutIn = (resolutions: readonly Resolution[]): readonly LeftOut[] =>
	resolutions.flatMap(leftOutBy);

const leftOutBy = (resolution: Resolution): readonly LeftOut[] => {
	const sides = [...resolution.a, ...resolution.b];
	const without = (of: readonly string[]) => ({
		of,
		kept: sides.filter(name => !of.includes(name)),
	});
	switch (resolution.choice) {
		case 'choose-one': {
			const lost = without(sides.filter(name => !resolution.winner.includes(name)));
			return (resolution.gives ?? [resolution.path]).map(path => ({path, ...lost}));
		}

		case 'manual':
			return resolution.without === undefined
				? []
				: [{path: resolution.path, ...without(resolution.without), inPart: true}];
		case 'accept':
			return [];
	}
};

/** Returns the omitted parts, to follow the merged ones: `, without what AGT-002 changed in a.ts`; empty for none. */
export const withoutText = (leftOut: readonly LeftOut[] = []): string =>
	leftOut.length === 0 ? '' : `, without ${enumerated(leftOut.map(partText))}`;

/** Returns the omitted parts with the reason, a sentence each. */
export const leftOutNotes = (leftOut: readonly LeftOut[] = []): readonly string[] =>
	leftOut.map(
		one => `Left out: ${partText(one)}, since the side of ${named(one.kept)} was taken there.`,
	);

const partText = ({path, of, inPart}: LeftOut): string =>
	`${inPart ? 'the rest of what' : 'what'} ${named(of)} changed in ${path}`;

const named = (names: readonly string[]): string =>
	enumerated(names.map(name => (name === 'target' ? 'the target' : name)));
