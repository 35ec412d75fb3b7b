import {watch} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';
import {Failure} from '../lib/failure.ts';
import {diskFailure, errorCode, isThere, openRegularFile} from '../lib/files/reading.ts';
import {untilMultiple} from '../lib/timers.ts';
import type {JournalEntry} from './codec.ts';
import {faultFailure} from './fault-failure.ts';
import {journalStart, nextSegment, type Position, scan, segmentPath} from './scan.ts';

export type FollowOptions = {
	readonly signal?: AbortSignal;
	/** Called each time after all existing entries were yielded. */
	readonly onEnd?: () => void;
	/** Interval of looks without a notification, in milliseconds, on systems that send none. */
	readonly pollMs?: number;
	/** Approximate number of bytes to read at once, so that a long journal is never in memory as a whole. */
	readonly pieceBytes?: number;
};

/**
Yields the entries of a journal, then new ones as they appear, in batches, until the signal aborts.

The journal need not exist yet.

@throws `Failure` when it is damaged, after yielding its good part, and when yielded entries were truncated: then read it again.
*/
export async function* followBatches(
	folder: string,
	{signal, onEnd, pollMs = 1000, pieceBytes = 1024 ** 2}: FollowOptions = {},
): AsyncGenerator<readonly JournalEntry[], void, void> {
	const wake = wakeOnChange(folder, pollMs, signal);
	try {
		let position = journalStart;
		let mostBytes = pieceBytes;
		while (!signal?.aborted) {
			const step = await readOn(folder, position, mostBytes);
			// A line may be longer than a piece.
			mostBytes = step.position === position && !step.isLast ? 2 * mostBytes : pieceBytes;
			position = step.position;
			if (step.entries.length > 0) {
				yield step.entries;
			}

			if (step.fault !== undefined) {
				throw step.fault;
			}

			if (step.isLast) {
				onEnd?.();
				await wake.next();
			}
		}
	} finally {
		wake.close();
	}
}

type Step = {
	readonly entries: readonly JournalEntry[];
	readonly position: Position;
	readonly isLast: boolean;
	readonly fault?: Failure;
};

/** Reads a piece of a segment from a position. It first checks whether a next segment exists: then this one is complete. */
const readOn = async (folder: string, position: Position, mostBytes: number): Promise<Step> => {
	const isComplete = await isThere(segmentPath(folder, position.segment + 1));
	const {bytes, isAll} = await readFrom(folder, position, mostBytes);
	const scanned = scan(bytes, position);
	if (scanned.fault !== undefined) {
		const fault = faultFailure(folder, scanned.fault);
		return {entries: scanned.entries, position: scanned.position, isLast: true, fault};
	}

	if (!(isAll && isComplete)) {
		return {entries: scanned.entries, position: scanned.position, isLast: isAll};
	}

	if (scanned.rest > 0 || scanned.position.line === 0) {
		const {segment, line} = scanned.position;
		const reason = 'the segment is cut short';
		throw faultFailure(folder, {kind: 'corrupt', segment, line: line + 1, reason});
	}

	return {entries: scanned.entries, position: nextSegment(scanned.position), isLast: false};
};

const readFrom = async (
	folder: string,
	{segment, offset}: Position,
	mostBytes: number,
): Promise<{readonly bytes: Uint8Array; readonly isAll: boolean}> => {
	const path = segmentPath(folder, segment);
	try {
		// Read asynchronously: a screen that waited for a busy disk would not react to keys.
		await using file = await openRegularFile(path);
		const {size} = await file.stat();
		if (size < offset) {
			throw takenBack(path);
		}

		const bytes = await readWhole(file, offset, Math.min(mostBytes, size - offset));
		return {bytes, isAll: size - offset <= mostBytes};
	} catch (error) {
		// Only the first segment may be missing: the others are known to exist.
		if (errorCode(error) === 'ENOENT' && offset === 0 && segment === journalStart.segment) {
			return {bytes: new Uint8Array(), isAll: true};
		}

		throw diskFailure(`${path} could not be read`, error);
	}
};

/** Reads a range. A file system may return fewer bytes than requested, which must not look like a torn end. */
const readWhole = async (file: FileHandle, from: number, count: number): Promise<Uint8Array> => {
	const bytes = new Uint8Array(count);
	let length = 0;
	for (let read = -1; read !== 0 && length < count; length += read) {
		read = (await file.read(bytes, length, count - length, from + length)).bytesRead;
	}

	return bytes.subarray(0, length);
};

/** Returns the failure for a shorter journal: a writer whose sync failed truncates its last lines. */
const takenBack = (path: string): Failure =>
	new Failure('refused', `${path} is shorter than what was already read of it.`, {
		hint: 'The last entries never reached the disk; read the journal again from its start.',
	});

export type Wake = {
	/** Resolves after a change, a poll or the end. */
	readonly next: () => Promise<void>;
	readonly close: () => void;
};

/** Watches a folder, which need not exist yet. Notifications may be lost, so it polls as well; without any, five times as often. */
export const wakeOnChange = (folder: string, pollMs: number, signal?: AbortSignal): Wake => {
	let changed = Promise.withResolvers<void>();
	const wake = () => changed.resolve();
	let watcher = watchIfThere(folder, wake);
	let poll: NodeJS.Timeout;
	const pollOn = (): void => {
		poll = setTimeout(
			() => {
				watcher ??= watchIfThere(folder, wake);
				wake();
				pollOn();
			},
			untilMultiple(watcher === undefined ? pollMs : 5 * pollMs),
		);
	};

	pollOn();
	signal?.addEventListener('abort', wake);

	return {
		next: async () => {
			await changed.promise;
			if (!signal?.aborted) {
				changed = Promise.withResolvers();
			}
		},
		close: () => {
			clearTimeout(poll);
			watcher?.close();
			signal?.removeEventListener('abort', wake);
		},
	};
};

const watchIfThere = (folder: string, wake: () => void) => {
	try {
		// After a watcher's error, polling continues.
		return watch(folder, wake).on('error', wake);
	} catch {
		return undefined;
	}
};
