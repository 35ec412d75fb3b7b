import type {Event} from '../../../events/event.ts';
import {asFailure, type Failure} from '../../../lib/failure.ts';
import type {State} from '../../../state/state.ts';
import {type RepositoryFolder, type SessionFolder, sessionsOf} from '../../../supervisor/folder.ts';
import {type SetAside, setAsideAt} from '../../../supervisor/past/last-session.ts';
import {readSession} from '../../../supervisor/past/read-session.ts';

/**
A session of a repository, according to its journal.

- `damaged`: the session can't be continued after the last of its events
- `aside`: a person has given it up because of that
- `unreadable`: the disk or missing permissions prevent reading it
*/
export type SessionRecord = {readonly id: string; readonly folder: SessionFolder} & (
	| {readonly kind: 'read'; readonly state: State; readonly events: readonly Event[]}
	| {readonly kind: 'damaged'; readonly events: readonly Event[]; readonly fault: Failure}
	| {readonly kind: 'aside'; readonly aside: SetAside}
	| {readonly kind: 'unreadable'; readonly failure: Failure}
);

/** Reads all sessions of a repository, the oldest first. */
export const readSessions = async (home: RepositoryFolder): Promise<readonly SessionRecord[]> => {
	const ids = sessionsOf(home);
	return Promise.all(ids.map(id => read(id, home.session(id))));
};

const read = async (id: string, folder: SessionFolder): Promise<SessionRecord> => {
	try {
		const aside = await setAsideAt(folder);
		if (aside !== undefined) {
			return {id, folder, kind: 'aside', aside};
		}

		const {state, events, fault} = await readSession(id, folder);
		return fault === undefined
			? {id, folder, kind: 'read', state, events}
			: {id, folder, kind: 'damaged', events, fault};
	} catch (error) {
		return {id, folder, kind: 'unreadable', failure: asFailure(error)};
	}
};
