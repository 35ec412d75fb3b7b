import {Failure} from '../lib/failure.ts';
import type {Agent, Snapshot} from '../state/agent/agent.ts';
import {agentOf} from '../state/select.ts';
import type {State} from '../state/state.ts';

/**
Returns an agent of the session.

@throws `Failure` of kind `refused` when there is none of that id
*/
export const requireAgent = (state: State, id: string): Agent => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		throw new Failure('refused', `There is no agent ${id}.`);
	}

	return agent;
};

/** Returns a snapshot of an agent by its number; throws likewise. */
export const requireSnapshot = ({id, snapshots}: Agent, number: number): Snapshot => {
	const snapshot = snapshots.find(one => one.number === number);
	if (snapshot === undefined) {
		throw new Failure('refused', `${id} has no snapshot ${number}.`, {
			hint: 'delegate-tui log shows the snapshots',
		});
	}

	return snapshot;
};
