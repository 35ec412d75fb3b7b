import type {EffectKey} from '../../events/effect-key.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {checkOfWork} from '../../state/agent/claims/snapshot-check.ts';
import {isGivenUp, itemsOf, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {type Effect, keyed} from './effect.ts';

/** Returns the snapshots on which the plan's checks are to be run, apart from any merge. */
export const checkEffects = (state: State): readonly Effect[] =>
	state.session === null || state.session.stopping !== undefined
		? []
		: state.agents.flatMap(agent => {
				const due = dueCheck(state, agent);
				return due === undefined ? [] : [keyed({do: 'check-snapshot', agent: agent.id, ...due})];
			});

/** Returns which snapshot of an agent is to be checked, and since which event. */
export const dueCheck = (
	state: State,
	agent: Agent,
): Pick<Extract<EffectKey, {do: 'check-snapshot'}>, 'number' | 'since'> | undefined => {
	if (isGivenUp(agent) || (state.session?.plan.verify ?? []).length === 0) {
		return undefined;
	}

	return agent.toCheck ?? checkByConfig(state, agent);
};

/** While a person has its work before them, and all that is in it is pinned. */
const checkByConfig = (state: State, agent: Agent) => {
	const last = lastSnapshot(agent);
	return isLookedAt(state, agent) &&
		agent.wanted.length === 0 &&
		last !== undefined &&
		checkOfWork(agent) === undefined
		? {number: last.number, since: 0}
		: undefined;
};

/** Finished works of rivals are compared by what the checks say of each, so those are run in any case. */
const isLookedAt = (state: State, {id, subtask, snapshots}: Agent): boolean => {
	const kinds = itemsOf(state, id).map(({kind}) => kind);
	return (
		(state.session?.settings.testsAt === 'checkpoint' &&
			kinds.some(kind => kind === 'checkpoint' || kind === 'review')) ||
		(subtask.bestOf !== undefined &&
			(snapshots.at(-1)?.files ?? 0) > 0 &&
			kinds.some(kind => kind === 'review' || kind === 'failure'))
	);
};
