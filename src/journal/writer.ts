import {resolve} from 'node:path';
import {Failure} from '../lib/failure.ts';
import {diskFailure} from '../lib/files/reading.ts';
import {encodeLine, type Header, type JournalEntry} from './codec.ts';
import {faultFailure, foreignFailure} from './fault-failure.ts';
import {diskFiles, type JournalFile, type JournalFiles, writeAll} from './files.ts';
import {type JournalReading, readIfThere} from './read.ts';
import {keepTornTail, type Position, segmentPath} from './scan.ts';

export type Journal = CommitQueue & {
	/** Entries from before it was opened. */
	readonly entries: readonly JournalEntry[];
	/** File with the torn end, if there was one. */
	readonly tornTail: string | undefined;
};

export type JournalOptions = {
	/** Folder of the segments; created if missing. */
	readonly folder: string;
	readonly session: string;
	/** Size at which a new segment begins. */
	readonly segmentBytes?: number;
	readonly files?: JournalFiles;
	/** Throws once another process may write here; called before each write. */
	readonly requireLock?: () => void;
};

const mebibyte = 1024 ** 2;

/**
Opens or creates the journal of a session. Take the lock first: one process may have it open.

A torn end is copied beside the journal and truncated. Damage before the end, a later format and another session's journal are refused.
*/
export const openJournal = async ({
	folder: givenFolder,
	session,
	segmentBytes = 16 * mebibyte,
	files = diskFiles,
	requireLock = () => {},
}: JournalOptions): Promise<Journal> => {
	const folder = resolve(givenFolder);
	try {
		requireLock();
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
				requireLock,
				createSegment: header => createSegment({folder, files}, header),
			}),
		};
	} catch (error) {
		throw diskFailure(`The journal in ${folder} could not be opened`, error);
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

/** An entry without its number. */
export type EntryBody = {
	readonly at: string;
	readonly kind: string;
	readonly seq?: never;
	readonly crc?: never;
};

type CommitQueue = {
	/**
	Appends entries, and resolves with their numbers once they are on disk.

	Calls during a write share the next one. After a failure every call fails with its cause: a repeated sync may report success although the data is gone.
	*/
	readonly append: <Body extends EntryBody>(
		bodies: readonly Body[],
	) => Promise<ReadonlyArray<Body & {readonly seq: number}>>;
	/** Returns the position of the next entry; valid only while none is being appended. */
	readonly position: () => Position;
	/** Waits for the appended entries, then closes the file. */
	readonly close: () => Promise<void>;
};

type Options = {
	readonly segment: SegmentFile;
	/** `seq` of the next entry. */
	readonly next: number;
	readonly segmentBytes: number;
	readonly requireLock: () => void;
	readonly createSegment: (header: Header) => Promise<SegmentFile>;
};

type Waiting = {
	readonly first: number;
	readonly text: string;
	readonly resolve: () => void;
	readonly reject: (failure: Failure) => void;
};

/** Numbers entries and writes them in order, many at a time. */
const commitQueue = (options: Options): CommitQueue => {
	let {segment, next} = options;
	let waiting: Waiting[] = [];
	let draining: Promise<void> | undefined;
	let refusal: Failure | undefined;

	const drain = async (): Promise<void> => {
		for (let [head] = waiting; head !== undefined; [head] = waiting) {
			const batch = waiting;
			waiting = [];
			try {
				await commit(batch, head.first);
				for (const {resolve} of batch) {
					resolve();
				}
			} catch (error) {
				refuseAll(batch, diskFailure('The journal could not be written', error));
			}
		}

		draining = undefined;
	};

	const refuseAll = (batch: readonly Waiting[], failure: Failure): void => {
		refusal = failure;
		for (const {reject} of [...batch, ...waiting]) {
			reject(failure);
		}

		waiting = [];
	};

	const commit = async (batch: readonly Waiting[], first: number): Promise<void> => {
		options.requireLock();
		const bytes = Buffer.from(batch.map(({text}) => text).join(''));
		if (segment.header.first !== first && segment.size() + bytes.length > options.segmentBytes) {
			const full = segment;
			const {header} = full;
			segment = await options.createSegment({...header, segment: header.segment + 1, first});
			await full.close();
		}

		await segment.append(bytes);
	};

	return {
		append: async bodies => {
			if (refusal !== undefined) {
				throw refusal;
			}

			const entries = bodies.map((body, index) => numbered(next + index, body));
			const text = entries.map(encodeLine).join('');
			const first = next;
			next += entries.length;
			await new Promise<void>((resolve, reject) => {
				waiting.push({first, text, resolve, reject});
				draining ??= drain();
			});
			return entries;
		},
		position: () => {
			const {session, segment: number, first} = segment.header;
			return {session, segment: number, line: 1 + next - first, offset: segment.size(), next};
		},
		close: async () => {
			refusal ??= new Failure('internal', 'The journal is closed.');
			await draining;
			try {
				await segment.close();
			} catch (error) {
				throw diskFailure('The journal could not be closed', error);
			}
		},
	};
};

const numbered = <Body extends EntryBody>(
	seq: number,
	body: Body,
): Body & {readonly seq: number} => {
	if ('seq' in body) {
		throw new Failure('internal', 'An entry of the journal can’t bring a number of its own.');
	}

	return Object.assign({seq, at: body.at, kind: body.kind}, body);
};

/** A segment that is open for appending. */
type SegmentFile = {
	readonly header: Header;
	/** Returns the size of the file in bytes, all of them synced. */
	readonly size: () => number;
	/** Resolves once `bytes` are on disk. After a failure the file is truncated: half a line must not precede the next one. */
	readonly append: (bytes: Uint8Array) => Promise<void>;
	readonly close: () => Promise<void>;
};

type Where = {readonly folder: string; readonly files: JournalFiles};

/** Creates a segment, durable with its name before the first entry. */
const createSegment = async ({folder, files}: Where, header: Header): Promise<SegmentFile> => {
	const file = await files.create(segmentPath(folder, header.segment));
	return prepare(file, header, 0, async segment => {
		await segment.append(Buffer.from(encodeLine(header)));
		await files.syncFolder(folder);
	});
};

/** Opens the last segment at its last good line, truncates the rest, and syncs: its lines may come from a process that died before its sync. */
const reopenSegment = async (
	{folder, files}: Where,
	position: Position,
	session: string,
): Promise<SegmentFile> => {
	const entriesHere = Math.max(0, position.line - 1);
	const {segment} = position;
	const header: Header = {journal: 1, session, segment, first: position.next - entriesHere};
	const file = await files.open(segmentPath(folder, segment));
	return prepare(file, header, position.offset, async reopened => {
		await file.truncate(position.offset);
		await file.sync();
		if (position.line === 0) {
			await reopened.append(Buffer.from(encodeLine(header)));
		}

		await files.syncFolder(folder);
	});
};

const prepare = async (
	file: JournalFile,
	header: Header,
	size: number,
	steps: (segment: SegmentFile) => Promise<void>,
): Promise<SegmentFile> => {
	const segment = segmentFile(file, header, size);
	try {
		await steps(segment);
		return segment;
	} catch (error) {
		await file.close().catch(ignore);
		throw error;
	}
};

const segmentFile = (file: JournalFile, header: Header, startSize: number): SegmentFile => {
	let size = startSize;
	return {
		header,
		size: () => size,
		append: async bytes => {
			if ((await file.size()) !== size) {
				throw new Failure(
					'refused',
					`Another program removed, replaced or changed ${file.path}, so nothing more is written to it.`,
					{hint: 'The next command goes on with the undamaged part.'},
				);
			}

			try {
				await writeAll(file, bytes, size);
				await file.sync();
			} catch (error) {
				await file.truncate(size).catch(ignore);
				throw error;
			}

			size += bytes.length;
		},
		close: () => file.close(),
	};
};

/** Ignores an error after a failure, which is the true cause. */
const ignore = (): void => {};
