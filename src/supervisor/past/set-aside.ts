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
Sets aside a session whose journal can't be continued, and returns its processes that could not be ended.

It marks the folder and moves nothing: agents' worktrees refer to their hubs by path, and people find their work in its place.

@throws `Failure` of kind `refused` while a supervisor runs, and when the journal is undamaged
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

/** Returns the error for a session that can't be set aside while a supervisor runs. */
export const supervisorAtWork = (id: string): Failure =>
	new Failure(
		'refused',
		`A supervisor is at work in this repository, so ${id} can’t be set aside now.`,
		{hint: '"delegate-tui stop" ends what it supervises and keeps the work; then try again'},
	);

/** A session that began when the repository was at another path; its state is stored under that path. */
export type MovedSession = {
	readonly id: string;
	readonly root: string;
	readonly hasEnded: boolean;
};

/** Finds the sessions of a repository whose base is pinned here but whose state belongs to another path, oldest first. If a repository still exists at that path, this one is a copy, and the sessions don't count. */
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
Removes the remains of sessions whose supervisor died before their first event: a folder, a ref in the person's repository, maybe the lock of that ref.

No person heard of such a session, and nothing else would clean it up. Errors go to the log; the next start tries again. The caller must hold the supervisor's lock: otherwise such a session may just be starting.
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

/** Returns whether a session has no event. Half a line counts as one: it may have been the first. */
const isBlank = async (folder: SessionFolder): Promise<boolean> => {
	const names = await readdir(folder.path);
	if (!names.every(name => isEarly(folder, name))) {
		return false;
	}

	const reading = await readIfThere(folder.journal, diskFiles);
	return reading === undefined || (reading.entries.length === 0 && reading.end.kind === 'whole');
};
