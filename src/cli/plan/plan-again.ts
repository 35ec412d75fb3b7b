import {Failure} from '../../lib/failure.ts';
import {planFileOf} from '../../rules/plan/plan-file.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../../supervisor/folder.ts';
import {readEnvironments} from '../../supervisor/machine/environments.ts';
import type {Config} from '../config/config.ts';

/** Returns the plan of a session as a file, with the environments of its agents. */
export const planAgain = async (
	{agents: profiles}: Config,
	{folder, state}: {readonly folder: SessionFolder; readonly state: State},
): Promise<string> => {
	if (state.session === null) {
		throw new Failure('refused', 'This session never began, so it has no plan.');
	}

	const environments = await readEnvironments(folder.environments, state);
	return planFileOf(state.session.plan, {profiles, environments});
};
