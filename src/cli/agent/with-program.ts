import type {Asked} from '../../client/supervisor/request-within.ts';
import {loadLate} from '../../lib/load-late.ts';
import {readArbiter} from '../../state/items/conflict/arbiter.ts';
import type {Here} from '../here.ts';

/**
Returns a request with the program that it names by its profile: that of the agent that is to settle a conflict, or as which one is to start over. Only the config knows it.

What finds programs is loaded for these requests alone, so that any other decision needs no file which a new version of us may have taken away under an open screen.
*/
export const withProgram = async (here: Here, {profile, ...request}: Asked): Promise<Asked> => {
	if (request.do === 'steer' && typeof profile === 'string') {
		const {requireProgram} = await loadLate(() => import('./agent-order.ts'));
		const {program, environment} = await requireProgram(here, profile);
		return {...request, order: {...Object(request.order), as: program}, environment};
	}

	const asked = request.do === 'decide' ? readArbiter(request.choice) : undefined;
	if (asked?.verb !== 'arbiter') {
		return request;
	}

	const {findProgram} = await loadLate(() => import('./agent-order.ts'));
	const found = await findProgram(here, asked.as);
	return 'why' in found ? request : {...request, ...found};
};
