import type {Body} from '../events/event.ts';
import {tipOf} from '../git/branch.ts';
import {endGroup, sweep} from '../lib/processes.ts';
import type {State} from '../state/state.ts';
import {turnMark} from './perform/start.ts';
import {sessionMark, type World} from './world.ts';

/**
Compares what the journal says with the process table and git, at the start of a supervisor.

A turn that is live in the journal has lost its pipes with the supervisor that read them: what is left of it is ended, its work stays where it is, and the agent resumes.
*/
export const probe = async (world: World, state: State): Promise<readonly Body[]> => {
	const lost: Body[] = [];
	for (const {id, turn} of state.agents) {
		if (turn.phase === 'live') {
			await endGroup(turn, {graceMs: 0});
			lost.push({kind: 'turn.ended', agent: id, turn: turn.number, end: {by: 'lost'}});
		}

		await sweep(turnMark(world.session, id));
	}

	await sweep(sessionMark(world.session));
	return [...lost, ...(await targetMoved(world, state))];
};

/** Returns that the target has moved since it was last looked at, if it has. */
export const targetMoved = async (world: World, state: State): Promise<readonly Body[]> => {
	if (!state.session || state.session.ended) {
		return [];
	}

	const {target, tip} = state.session;
	const now = await tipOf(world.repository, target);
	return now === undefined || now === tip ? [] : [{kind: 'target.moved', from: tip, to: now}];
};
