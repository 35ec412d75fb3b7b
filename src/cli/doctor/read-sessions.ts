import {readdir} from 'node:fs/promises';
import {isEvent} from '../../events/decode.ts';
import type {Event} from '../../events/event.ts';
import {readWhole} from '../../journal/read-whole.ts';
import {asFailure} from '../../lib/failure.ts';
import {fold} from '../../state/apply.ts';
import type {State} from '../../state/state.ts';
import type {RepositoryFolder, SessionFolder} from '../../supervisor/folder.ts';

/** A session of a repository, as its journal tells, or why that can't be read. */
export type SessionRecord = {readonly id: string; readonly folder: SessionFolder} & (
	| {readonly kind: 'read'; readonly state: State; readonly events: readonly Event[]}
	| {readonly kind: 'unreadable'; readonly why: string}
);

/** Reads all sessions of a repository, the oldest first. */
export const readSessions = async (home: RepositoryFolder): Promise<readonly SessionRecord[]> => {
	const names = await readdir(home.path).catch(() => []);
	const ids = names.filter(name => name.startsWith('DEL-')).sort();
	return Promise.all(ids.map(id => read(id, home.session(id))));
};

const read = async (id: string, folder: SessionFolder): Promise<SessionRecord> => {
	try {
		const entries = await readWhole(folder.journal);
		const events = entries.filter(isEvent);
		return {id, folder, kind: 'read', state: fold(events), events};
	} catch (error) {
		return {id, folder, kind: 'unreadable', why: asFailure(error).message};
	}
};
