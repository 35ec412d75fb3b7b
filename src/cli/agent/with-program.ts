import type {Asked} from '../../client/supervisor/request-within.ts';
import {loadLate} from '../../lib/load-late.ts';
import {readArbiter} from '../../state/items/conflict/arbiter.ts';
import type {Here} from '../here.ts';

/**
Adds the program of a named profile to a request: of the arbiter for a conflict, or of an agent that starts over. Only the config knows it.

The code that finds programs is loaded only for these requests, so that other decisions need no file that an update may have removed under an open screen.
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
