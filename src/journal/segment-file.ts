import {encodeLine, type Header} from './codec.ts';
import {type JournalFile, type JournalFiles, writeAll} from './files.ts';
import type {Position} from './scan.ts';
import {segmentPath} from './segment.ts';

/** A segment that is open for appending. */
export type SegmentFile = {
	readonly header: Header;
	/** Bytes in the file, all of them synced. */
	readonly size: () => number;
	/**
	Resolves once all of `bytes` are on the disk.

	When that fails, the file is cut back to where it was: half a line must not stand before the next one, and an entry that nobody was promised should not be found later.
	*/
	readonly append: (bytes: Uint8Array) => Promise<void>;
	readonly close: () => Promise<void>;
};

type Where = {readonly folder: string; readonly files: JournalFiles};

/** Makes a segment; it is durable, its name included, before the first entry goes in. */
export const createSegment = async (
	{folder, files}: Where,
	header: Header,
): Promise<SegmentFile> => {
	const file = await files.create(segmentPath(folder, header.segment));
	return prepare(file, header, 0, async segment => {
		await segment.append(Buffer.from(encodeLine(header)));
		await files.syncFolder(folder);
	});
};

/**
Opens the last segment of a journal behind its last good line, and cuts off what is behind.

The file is synced although nothing was written: its last lines may come from a process that died before it could sync them, and are about to be believed.
*/
export const reopenSegment = async (
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

/** For what follows a failure: the first error is the true cause, and is the one to be reported. */
const ignore = (): void => {};
