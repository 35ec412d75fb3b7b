import type {Agent} from '../agent/agent.ts';
import {voidMerge} from '../merge/void-merge.ts';
import {agentOf} from '../select.ts';
import {type State, withAgent, withItem} from '../state.ts';

/** Returns the state in which accepted work waits for a person again, as finished or as failed. */
export const reopened = (state: State, {id, state: at, why}: Agent, trouble: string): State =>
	withItem(
		withAgent(state, id, accepted => ({...accepted, verdict: {kind: 'none'}})),
		at === 'FAILED' ? {kind: 'failure', agent: id, why} : {kind: 'review', agent: id, trouble},
	);

/** Works of which a person took one with parts of the others were taken for each other: where one goes, the others are to be decided on again. */
export const withoutHalves = (state: State): State => {
	for (const agent of state.agents) {
		const gone = isOpen(agent) ? noLongerBeside(state, agent) : undefined;
		if (gone !== undefined) {
			const why = `${gone} is no longer taken beside it`;
			return withoutHalves(reopened(voidMerge(state, [agent.id]), agent, why));
		}
	}

	return state;
};

const isOpen = ({state}: Agent): boolean => state === 'COMPLETE' || state === 'FAILED';

const noLongerBeside = (state: State, {verdict}: Agent): string | undefined =>
	verdict.kind === 'accepted'
		? verdict.beside?.find(id => agentOf(state, id)?.verdict.kind !== 'accepted')
		: undefined;
