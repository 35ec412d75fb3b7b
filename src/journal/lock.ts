import {existsSync, mkdirSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {asFailure, Failure} from '../lib/failure.ts';
import {withoutStop} from '../lib/text/words.ts';

export type Lock = {
	/** Lets the next one in. The file stays: removing it would let two processes hold two files of one name. */
	readonly release: () => void;
};

/** Keeps a lock from being garbage collected, which would release it without a word. */
const held = new Set<DatabaseSync>();

/** Long enough for a process that only looks, short enough not to be noticed. */
const waitMs = 200;

/**
Takes a lock, or returns nothing when another process holds it.

The kernel holds the lock, by way of SQLite's file locks: it goes when its process goes, however that ends, and can't be stolen by a process that misjudges a process id. The file must lie on a local file system, and nothing else in this process may open it, as closing it would drop the lock.
*/
export const takeLock = (path: string): Lock | undefined => {
	const database = attempt(path, () => {
		mkdirSync(dirname(path), {recursive: true, mode: 0o700});
		return new DatabaseSync(path);
	});
	if (!enters(database, path, `PRAGMA busy_timeout = ${waitMs}; BEGIN EXCLUSIVE`)) {
		return undefined;
	}

	held.add(database);
	return {
		release: () => {
			if (held.delete(database)) {
				database.close();
			}
		},
	};
};

/** Whether any process, this one included, holds the lock. Who only looks never keeps another from taking it. */
export const isLocked = (path: string): boolean => {
	if (!existsSync(path)) {
		return false;
	}

	const database = attempt(path, () => new DatabaseSync(path, {readOnly: true}));
	if (!enters(database, path, 'SELECT name FROM sqlite_schema')) {
		return true;
	}

	database.close();
	return false;
};

/** Runs SQL that needs the file lock, and closes the database unless that went well. */
const enters = (database: DatabaseSync, path: string, sql: string): boolean => {
	try {
		attempt(path, () => database.exec(sql));
		return true;
	} catch (error) {
		database.close();
		if (error instanceof Failure && isBusy(error.cause)) {
			return false;
		}

		throw error;
	}
};

const attempt = <Value>(path: string, act: () => Value): Value => {
	try {
		return act();
	} catch (error) {
		throw lockFailure(path, error);
	}
};

/** SQLITE_BUSY, with the extended codes that share its low byte. */
const isBusy = (error: unknown): boolean =>
	error instanceof Error &&
	'errcode' in error &&
	typeof error.errcode === 'number' &&
	(error.errcode & 0xff) === 5;

const lockFailure = (path: string, error: unknown): Failure => {
	return new Failure(
		'missing',
		`The lock ${path} can’t be used: ${withoutStop(asFailure(error).message)}.`,
		{
			hint: 'It must be a file of this program’s own, on a local disk that can be written.',
			cause: error,
		},
	);
};
