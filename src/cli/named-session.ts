import {Failure} from '../lib/failure.ts';
import {sessionsOf} from '../supervisor/folder.ts';
import {readSession, type SessionReading} from '../supervisor/past/read-session.ts';
import {readSessions} from './doctor/sessions/read-sessions.ts';
import type {Here} from './here.ts';

/**
Reads a session of this repository by its id.

@throws `Failure` of kind `usage` that names those that there are.
*/
export const readNamedSession = async ({folder}: Here, id: string): Promise<SessionReading> => {
	const ids = await sessionsOf(folder);
	if (!ids.includes(id)) {
		throw new Failure('usage', `There is no session ${id} in this repository.`, {
			hint: ids.length === 0 ? 'none was started yet' : `there are ${ids.join(', ')}`,
		});
	}

	return readSession(id, folder.session(id));
};

/** Says that there is no session to show, and which there are all the same. */
export const noSessionText = async ({folder}: Here): Promise<string> => {
	const aside = (await readSessions(folder)).filter(({kind}) => kind === 'aside');
	return aside.length === 0
		? 'No session in this repository yet.'
		: `No session in this repository but what was set aside: ${aside.map(({id}) => id).join(', ')}.`;
};
