import {readdir, rm, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {SurvivingProcess} from '../../events/kinds/machine-event.ts';
import {dropBase, pinnedSessions} from '../../git/repository/base-ref.ts';
import {openRepository, type Repository} from '../../git/repository/repository.ts';
import {diskFiles} from '../../journal/files.ts';
import {takeLock} from '../../journal/lock.ts';
import {readIfThere} from '../../journal/read.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {ifThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {killStragglers} from '../../lib/process/kill-stragglers.ts';
import {
	type RepositoryFolder,
	repositoryFolder,
	type SessionFolder,
	sessionsOf,
} from '../folder.ts';
import {type StartParts, sessionMark} from '../world.ts';
import {isEarly, readSession} from './read-session.ts';

/**
Sets a session aside whose journal nobody can go on with, and returns the processes of it that could not be ended.

A mark is put into its folder and nothing is moved: agents' worktrees know their hubs by path, and a person who looks for their work finds it where it was told to be.

@throws `Failure` of kind `refused` while a supervisor is at work, and when the journal is whole.
*/
export const setAside = async (
	home: RepositoryFolder,
	id: string,
	at: string,
): Promise<readonly SurvivingProcess[]> => {
	const lock = takeLock(home.lock);
	if (lock === undefined) {
		throw supervisorAtWork(id);
	}

	try {
		const folder = home.session(id);
		const why = await requireFault(home, id);
		const survivors = await killStragglers({mark: sessionMark(id)});
		await writeAtomically(folder.setAside, `${JSON.stringify({at, why})}\n`, {mode: 0o600});
		return survivors;
	} finally {
		lock.release();
	}
};

const requireFault = async (home: RepositoryFolder, id: string): Promise<string> => {
	const {fault, state} = await readSession(id, home.session(id));
	if (fault === undefined) {
		const hasEnded = state.session?.ended !== undefined;
		throw new Failure('refused', `The journal of ${id} is whole, so it was not set aside.`, {
			hint: hasEnded
				? 'the session has ended; a new one can start'
				: '"delegate-tui stop" ends the session and keeps its work',
		});
	}

	return fault.message;
};

/** Says that a session can't be set aside just now. */
export const supervisorAtWork = (id: string): Failure =>
	new Failure(
		'refused',
		`A supervisor is at work in this repository, so ${id} can’t be set aside now.`,
		{hint: '"delegate-tui stop" ends what it supervises and keeps the work; then try again'},
	);

/** A session that was begun when the repository was at another place, by whose path its state is kept. */
export type MovedSession = {
	readonly id: string;
	readonly root: string;
	readonly hasEnded: boolean;
};

/** Finds the sessions of a repository that are known here by nothing but their base, and by a state elsewhere, the first one first; those of the original of a copy are none. */
export const findMovedSessions = async (
	repository: Repository,
	folder: RepositoryFolder,
): Promise<readonly MovedSession[]> => {
	const here = sessionsOf(folder);
	const strange = (await pinnedSessions(repository)).filter(id => !here.includes(id));
	return (await Promise.all(strange.map(id => findElsewhere(folder, id)))).flat();
};

const findElsewhere = async (
	{path}: RepositoryFolder,
	id: string,
): Promise<readonly MovedSession[]> => {
	const state = dirname(path);
	for (const name of (await ifThere(readdir(state))) ?? []) {
		const folder = repositoryFolder(state, name).session(id);
		if ((await ifThere(stat(folder.path))) !== undefined) {
			const {session} = (await readSession(id, folder)).state;
			const root = session?.repository.root ?? name;
			const hasEnded = session?.ended !== undefined;
			return (await isStillAt(root, name)) ? [] : [{id, root, hasEnded}];
		}
	}

	return [];
};

const isStillAt = (root: string, repositoryId: string): Promise<boolean> =>
	openRepository(root).then(
		({id}) => id === repositoryId,
		() => false,
	);

/**
Takes away what is left of sessions whose supervisor died before their first event: a folder, a ref in the person's repository, maybe the lock of that ref.

Nobody was told of such a session, and nobody else would ever come back to it. What stands against it is for the log, and for the next start. Hold the supervisor's lock: to another one this session may just be beginning.
*/
export const removeUnstarted = async ({
	folder,
	repository,
	log,
}: Pick<StartParts, 'folder' | 'repository' | 'log'>): Promise<void> => {
	for (const id of sessionsOf(folder)) {
		try {
			if (!(await isBlank(folder.session(id)))) {
				continue;
			}

			const busy = await dropBase(repository, id);
			if (busy === undefined) {
				await rm(folder.session(id).path, {recursive: true});
			} else {
				log(`the leftovers of ${id}, which never began, stay for now: ${busy.message}`);
			}
		} catch (error) {
			log(`the leftovers of ${id} could not be read or removed: ${asFailure(error).message}`);
		}
	}
};

/** Half a line may have been a session's first event, so it isn't nothing. */
const isBlank = async (folder: SessionFolder): Promise<boolean> => {
	const names = await readdir(folder.path);
	if (!names.every(name => isEarly(folder, name))) {
		return false;
	}

	const reading = await readIfThere(folder.journal, diskFiles);
	return reading === undefined || (reading.entries.length === 0 && reading.end.kind === 'whole');
};
