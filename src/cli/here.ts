import {isEvent} from '../events/decode.ts';
import {openRepository, type Repository} from '../git/repository.ts';
import {readJournal} from '../journal/read.ts';
import {Failure} from '../lib/failure.ts';
import {fold} from '../state/apply.ts';
import type {State} from '../state/state.ts';
import {
	lastSession,
	type RepositoryFolder,
	repositoryFolder,
	type SessionFolder,
	stateFolder,
} from '../supervisor/folder.ts';

/** The repository that the program was started in, and where its state is. */
export type Here = {
	readonly repository: Repository;
	readonly folder: RepositoryFolder;
};

/** Finds out where the program was started. */
export const findHere = async (directory: string = process.cwd()): Promise<Here> => {
	const repository = await openRepository(directory);
	const state = stateFolder(process.env);
	return {repository, folder: repositoryFolder(state, repository.id)};
};

/** The session that was started last, as its journal tells. */
export type LastSession = {
	readonly id: string;
	readonly folder: SessionFolder;
	readonly state: State;
};

/** Reads the last session of a repository; nothing is changed, and no supervisor is needed. */
export const readLastSession = async ({folder}: Here): Promise<LastSession | undefined> => {
	const id = await lastSession(folder);
	if (id === undefined) {
		return undefined;
	}

	const session = folder.session(id);
	const {entries} = await readJournal(session.journal);
	const state = fold(entries.filter(isEvent));
	return state.session ? {id, folder: session, state} : undefined;
};

/** Reads the session that is under way; fails when there is none. */
export const requireActiveSession = async (here: Here): Promise<LastSession> => {
	const session = await readLastSession(here);
	if (!isActive(session)) {
		throw new Failure('refused', 'No session is active in this repository.', {
			hint: 'delegate-tui run PLAN.yaml starts one',
		});
	}

	return session;
};

/** Returns whether the target is being moved on behalf of a session that has ended: an undo is under way, or was cut off. */
export const isMoving = (session: LastSession | undefined): boolean =>
	session !== undefined &&
	session.state.landing.phase !== 'none' &&
	session.state.landing.intent !== undefined;

/** Returns whether a session is under way. */
export const isActive = (session: LastSession | undefined): session is LastSession =>
	session !== undefined && session.state.session?.ended === undefined;
