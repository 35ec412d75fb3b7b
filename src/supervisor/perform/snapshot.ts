import type {Body} from '../../events/event.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import type {EffectOf} from '../../rules/effects/effect.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {askedReason, itemsOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {asCheckpoint, capture} from '../worktree/capture.ts';
import {rebuildIfGone} from '../worktree/rebuild.ts';
import type {World} from '../world.ts';

/**
Takes an owed snapshot.

A missing worktree isn't recreated silently: the agent fails, and gets a new worktree when it is started again.
*/
export const snapshot = async (
	world: World,
	state: State,
	agent: Agent,
	{reason}: EffectOf<'snapshot'>,
): Promise<readonly Body[]> => {
	if (agent.state === 'SPAWNING') {
		await rebuildIfGone(world, state, agent);
	}

	const pinned = await capture(world, agent, reason).catch(tryAgain);
	return isBeforeRisk(state, agent, reason) ? asCheckpoint(pinned) : pinned;
};

/** Returns whether the snapshot comes before a risky command, which may undo the agent's work. */
const isBeforeRisk = (state: State, {id, permits}: Agent, reason: string): boolean =>
	[...itemsOf(state, id).filter(item => item.kind === 'permission'), ...permits].some(
		({request}) => askedReason(request) === reason,
	);

/** Makes the failure retryable, since the worktree changed during the snapshot. */
const tryAgain = (error: unknown): never => {
	const {message} = asFailure(error);
	throw new Failure('internal', message, {cause: error});
};
