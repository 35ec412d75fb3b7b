import {existsSync, mkdirSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {asFailure, Failure} from '../lib/failure.ts';
import {type FileHolder, whoHasOpen} from '../lib/process/process-table.ts';
import {isSqliteError} from '../lib/sqlite-error.ts';
import {withoutStop} from '../lib/text/words.ts';

export type Lock = {
	/** Returns whether the path still leads to the locked file; another process may have locked a new one. */
	readonly isHeld: () => boolean;
	/** Releases the lock. The file stays: otherwise two processes could hold two files of one name. */
	readonly release: () => void;
};

/** Keeps databases alive: garbage collection would release a lock. */
const held = new Set<DatabaseSync>();

/** In milliseconds; long enough for a process that only checks the lock. */
const waitMs = 200;

/**
Takes a lock; returns `undefined` if another process holds it.

It is SQLite's file lock: the kernel releases it when the process ends, and it can't be stolen. If `/proc` shows a process whose lock file was removed, this waits for it. The file must be on a local file system, and this process must not open it otherwise, since closing it drops the lock.
*/
export const takeLock = (path: string): Lock | undefined => {
	const database = attempt(path, () => {
		mkdirSync(dirname(path), {recursive: true, mode: 0o700});
		return new DatabaseSync(path);
	});
	if (!enters(database, path, `PRAGMA busy_timeout = ${waitMs}; BEGIN EXCLUSIVE`)) {
		return undefined;
	}

	if (formerHolder(path) !== undefined) {
		database.close();
		return undefined;
	}

	const inode = inodeOf(path);
	held.add(database);
	return {
		isHeld: () => held.has(database) && inode !== undefined && inodeOf(path) === inode,
		release: () => {
			if (held.delete(database)) {
				database.close();
			}
		},
	};
};

const inodeOf = (path: string): bigint | undefined =>
	statSync(path, {bigint: true, throwIfNoEntry: false})?.ino;

/** Returns a process that still has a removed lock file open. */
export const formerHolder = (path: string): FileHolder | undefined => whoHasOpen([path], 'removed');

/** Returns whether any process holds the lock; the check doesn't block others. */
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

/** Runs SQL that needs the file lock; closes the database unless that succeeds. */
const enters = (database: DatabaseSync, path: string, sql: string): boolean => {
	try {
		attempt(path, () => database.exec(sql));
		return true;
	} catch (error) {
		database.close();
		if (error instanceof Failure && isSqliteError(error.cause, busy)) {
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

/** SQLITE_BUSY */
const busy = 5;

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
