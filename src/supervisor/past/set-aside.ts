import {readFile} from 'node:fs/promises';
import {z} from 'zod';
import type {SurvivingProcess} from '../../events/kinds/machine-event.ts';
import {takeLock} from '../../journal/lock.ts';
import {Failure} from '../../lib/failure.ts';
import {diskFailure} from '../../lib/files/disk-failure.ts';
import {ifThere} from '../../lib/files/if-there.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {killStragglers} from '../../lib/process/kill-stragglers.ts';
import {readJsonObject} from '../../lib/text/json-object.ts';
import type {RepositoryFolder, SessionFolder} from '../folder.ts';
import {sessionMark} from '../world.ts';
import {readSession} from './read-session.ts';

/** That a person has given a session up, and why they had to. */
export type SetAside = {
	/** ISO 8601. */
	readonly at: string;
	readonly why: string;
};

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

/** Returns when a session was set aside and why; nothing if it was not. */
export const setAsideAt = async (folder: SessionFolder): Promise<SetAside | undefined> => {
	const text = await textOf(folder.setAside);
	return text === undefined ? undefined : mark.parse(readJsonObject(text));
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

const textOf = (path: string): Promise<string | undefined> =>
	ifThere(readFile(path, 'utf8')).catch(error => {
		throw diskFailure(`${path} could not be read`, error);
	});

/** The file itself is the mark; a person may have made it, with whatever in it. */
const mark = z
	.object({at: z.string(), why: z.string()})
	.catch({at: '1970-01-01T00:00:00.000Z', why: 'nobody wrote down why'});
