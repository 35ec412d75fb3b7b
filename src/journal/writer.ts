import {resolve} from 'node:path';
import {Failure} from '../lib/failure.ts';
import {diskFailure} from '../lib/files/disk-failure.ts';
import type {Entry, Header} from './codec.ts';
import {type CommitQueue, commitQueue} from './commit-queue.ts';
import {faultFailure, foreignFailure} from './fault-failure.ts';
import {diskFiles, type JournalFiles} from './files.ts';
import {type JournalReading, readIfThere} from './read.ts';
import {createSegment, reopenSegment, type SegmentFile} from './segment-file.ts';
import {keepTornTail} from './torn-tail.ts';

export type Journal = CommitQueue & {
	/** What stood in the journal when it was opened. */
	readonly entries: readonly Entry[];
	/** Where the unfinished end that a crash had left was put, if there was one. */
	readonly tornTail: string | undefined;
};

export type JournalOptions = {
	/** The folder of the segments; it is made when missing. */
	readonly folder: string;
	readonly session: string;
	/** Size at which a new segment is begun. */
	readonly segmentBytes?: number;
	readonly files?: JournalFiles;
};

const mebibyte = 1024 ** 2;

/**
Opens the journal of a session, or starts it. Only one process may have it open: hold the lock first.

A torn end is kept beside the journal and cut off. Damage before the end, a later format and another session's journal are refused, and nothing is changed.
*/
export const openJournal = async ({
	folder: givenFolder,
	session,
	segmentBytes = 16 * mebibyte,
	files = diskFiles,
}: JournalOptions): Promise<Journal> => {
	const folder = resolve(givenFolder);
	try {
		const reading = await readIfThere(folder, files);
		refuseUnlessSound(reading, folder, session);
		const opened = await openLastSegment(reading, {folder, session, files});
		return {
			entries: reading?.entries ?? [],
			tornTail: opened.tornTail,
			...commitQueue({
				segment: opened.segment,
				next: reading?.position.next ?? 1,
				segmentBytes,
				createSegment: header => createSegment({folder, files}, header),
			}),
		};
	} catch (error) {
		throw error instanceof Failure
			? error
			: diskFailure(`The journal in ${folder} could not be opened`, error);
	}
};

const refuseUnlessSound = (
	reading: JournalReading | undefined,
	folder: string,
	session: string,
): void => {
	if (reading === undefined) {
		return;
	}

	const {end, position} = reading;
	if (end.kind === 'corrupt' || end.kind === 'unknown-version') {
		throw faultFailure(folder, end);
	}

	if (position.session !== undefined && position.session !== session) {
		throw foreignFailure(folder, position.session, session);
	}
};

const openLastSegment = async (
	reading: JournalReading | undefined,
	{folder, session, files}: {folder: string; session: string; files: JournalFiles},
): Promise<{readonly segment: SegmentFile; readonly tornTail: string | undefined}> => {
	if (reading === undefined) {
		await files.makeFolder(folder);
		const header: Header = {journal: 1, session, segment: 1, first: 1};
		return {segment: await createSegment({folder, files}, header), tornTail: undefined};
	}

	const {end, position} = reading;
	const isTorn = end.kind === 'torn' && end.bytes > 0;
	const tornTail = isTorn ? await keepTornTail(folder, position, files) : undefined;
	return {segment: await reopenSegment({folder, files}, position, session), tornTail};
};
