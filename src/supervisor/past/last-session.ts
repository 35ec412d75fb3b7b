import {type RepositoryFolder, sessionsOf} from '../folder.ts';
import {hasBegun, readSession, type SessionReading} from './read-session.ts';
import {setAsideAt} from './set-aside.ts';

/**
Reads the session that was started last in a repository; those that never began, and those that were set aside, don't count.

@throws `Failure` when its journal can't be read for a reason that lies outside of it.
*/
export const readLastSession = async (
	home: RepositoryFolder,
): Promise<SessionReading | undefined> => {
	for (const id of (await sessionsOf(home)).toReversed()) {
		const folder = home.session(id);
		const session =
			(await setAsideAt(folder)) === undefined ? await readSession(id, folder) : undefined;
		if (session !== undefined && hasBegun(session)) {
			return session;
		}
	}

	return undefined;
};
