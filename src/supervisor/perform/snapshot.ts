import type {Body} from '../../events/event.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import type {Effect} from '../../rules/effects/effect.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {State} from '../../state/state.ts';
import {capture} from '../worktree/capture.ts';
import {rebuildIfGone} from '../worktree/rebuild.ts';
import type {World} from '../world.ts';

type Snapshot = Extract<Effect, {do: 'snapshot'}>;

/**
Takes a snapshot that is owed.

A worktree that is gone is not made anew behind the back of a person: its agent fails, and only when it is started again it gets another one.
*/
export const snapshot = async (
	world: World,
	state: State,
	agent: Agent,
	{reason}: Snapshot,
): Promise<readonly Body[]> => {
	if (agent.state === 'SPAWNING') {
		await rebuildIfGone(world, state, agent);
	}

	return capture(world, agent, reason).catch(tryAgain);
};

/** A worktree that changed while it was looked at is looked at again. */
const tryAgain = (error: unknown): never => {
	const {message} = asFailure(error);
	throw new Failure('internal', message, {cause: error});
};
