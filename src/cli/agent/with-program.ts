import {readArbiter} from '../../state/items/conflict/arbiter.ts';
import type {Here} from '../here.ts';
import {findProgram, requireProgram} from './find-program.ts';

type Request = Readonly<Record<string, unknown>>;

/** Returns a request with the program that it names by its profile: that of the agent that is to settle a conflict, or as which one is to start over. Only the config knows it. */
export const withProgram = async (here: Here, {profile, ...request}: Request): Promise<Request> => {
	const {do: verb, choice, order} = request;
	if (verb === 'steer' && typeof profile === 'string') {
		const {program, environment} = await requireProgram(here, profile);
		return {...request, order: {...Object(order), as: program}, environment};
	}

	const asked = verb === 'decide' && typeof choice === 'string' ? readArbiter(choice) : undefined;
	if (asked?.verb !== 'arbiter') {
		return request;
	}

	const found = await findProgram(here, asked.as);
	return 'why' in found ? request : {...request, ...found};
};
