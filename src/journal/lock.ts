import {existsSync, mkdirSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {asFailure, Failure} from '../lib/failure.ts';
import {type Reader, whoHasOpen} from '../lib/process/process-table.ts';
import {withoutStop} from '../lib/text/words.ts';

export type Lock = {
	/** Returns whether the file at the path is still the one that is locked: another process may hold what took its place. */
	readonly isHeld: () => boolean;
	/** Lets the next one in. The file stays: removing it would let two processes hold two files of one name. */
	readonly release: () => void;
};

/** Keeps a lock from being garbage collected, which would release it without a word. */
const held = new Set<DatabaseSync>();

/** Long enough for a process that only looks, short enough not to be noticed. */
const waitMs = 200;

/**
Takes a lock, or returns nothing when another process holds it.

The kernel holds the lock, by way of SQLite's file locks: it goes when its process goes, however that ends, and can't be stolen by a process that misjudges a process id. One whose file was removed is waited for, where the system tells which files are open: it may be about to write. The file must lie on a local file system, and nothing else in this process may open it, as closing it would drop the lock.
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

/** Returns a process that has the file open that stood at the path of a lock before, as far as this user may see. */
export const formerHolder = (path: string): Reader | undefined => whoHasOpen([path], 'removed');

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
