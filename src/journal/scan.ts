import {dirname, join} from 'node:path';
import {errorCode} from '../lib/files/reading.ts';
import {type DecodedLine, decodeLine, type JournalEntry} from './codec.ts';
import {type JournalFile, type JournalFiles, writeAll} from './files.ts';

/** A reader's position; everything before it is good. */
export type Position = {
	readonly segment: number;
	/** Number of complete lines read in this segment. */
	readonly line: number;
	/** Length of those lines in bytes. */
	readonly offset: number;
	/** `seq` that must come next. */
	readonly next: number;
	/** Undefined until the first header is read. */
	readonly session: string | undefined;
};

/** Reason why a line can't be read; reading ends there. */
export type Fault =
	| {
			readonly kind: 'corrupt';
			readonly segment: number;
			readonly line: number;
			readonly reason: string;
	  }
	| {readonly kind: 'unknown-version'; readonly segment: number; readonly version: number};

export type Scanned = {
	readonly entries: readonly JournalEntry[];
	/** After the last good line. */
	readonly position: Position;
	/** Number of bytes after the last good line. */
	readonly rest: number;
	readonly fault: Fault | undefined;
};

/** The start of a journal. */
export const journalStart: Position = {segment: 1, line: 0, offset: 0, next: 1, session: undefined};

export const nextSegment = (position: Position): Position => ({
	...position,
	segment: position.segment + 1,
	line: 0,
	offset: 0,
});

/**
Reads the complete lines of `bytes` at a position, and stops at the first bad one.

A bad last line is no fault: a disk may write the end of a write before its middle, so a line can have its newline and still be torn.

Opening, reading and following all use this function, so they can't disagree.
*/
export const scan = (bytes: Uint8Array, position: Position): Scanned => {
	const entries: JournalEntry[] = [];
	let at = position;
	let from = 0;
	for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
		const decoded = decodeLine(bytes.subarray(from, end));
		if (decoded.line === 'corrupt' && end === bytes.length - 1) {
			break;
		}

		const fault = faultOf(decoded, at);
		if (fault !== undefined) {
			return {entries, position: at, rest: bytes.length - from, fault};
		}

		at = advance(at, decoded, end + 1 - from);
		from = end + 1;
		if (decoded.line === 'entry') {
			entries.push(decoded.entry);
		}
	}

	return {entries, position: at, rest: bytes.length - from, fault: undefined};
};

const newline = 0x0a;

const faultOf = (decoded: DecodedLine, position: Position): Fault | undefined => {
	const {segment} = position;
	if (decoded.line === 'unknown-version') {
		return {kind: 'unknown-version', segment, version: decoded.version};
	}

	const reason = decoded.line === 'corrupt' ? decoded.reason : misplaced(decoded, position);
	return reason === undefined
		? undefined
		: {kind: 'corrupt', segment, line: position.line + 1, reason};
};

const misplaced = (
	decoded: Extract<DecodedLine, {line: 'entry' | 'header'}>,
	position: Position,
): string | undefined => {
	const wanted = position.line === 0 ? 'header' : 'entry';
	if (decoded.line !== wanted) {
		return `the ${wanted} that belongs here is missing`;
	}

	if (decoded.line === 'entry') {
		const {seq} = decoded.entry;
		return seq === position.next ? undefined : `entry ${seq} stands where ${position.next} belongs`;
	}

	const {header} = decoded;
	if (header.segment !== position.segment) {
		return `it is the header of segment ${header.segment}`;
	}

	if (header.first !== position.next) {
		return `the segment starts with entry ${header.first} where ${position.next} belongs`;
	}

	return position.session === undefined || header.session === position.session
		? undefined
		: `the segment belongs to session ${header.session}`;
};

const advance = (position: Position, decoded: DecodedLine, bytes: number): Position => ({
	...position,
	line: position.line + 1,
	offset: position.offset + bytes,
	next: decoded.line === 'entry' ? position.next + 1 : position.next,
	session: decoded.line === 'header' ? decoded.header.session : position.session,
});

const pattern = /^\d{6}\.ndjson$/;

/** Returns the path of a segment: `000001.ndjson` and so on. */
export const segmentPath = (folder: string, segment: number): string =>
	join(folder, `${String(segment).padStart(6, '0')}.ndjson`);

export const segmentNumber = (name: string): number | undefined =>
	pattern.test(name) ? Number.parseInt(name, 10) : undefined;

/** Copies the bytes after a position into `torn/`, beside the journal, before they are truncated; returns the file. A person may need them. */
export const keepTornTail = async (
	folder: string,
	position: Position,
	files: JournalFiles,
): Promise<string> => {
	const segment = await files.read(segmentPath(folder, position.segment));
	const tornFolder = join(dirname(folder), 'torn');
	await files.makeFolder(tornFolder);
	const {path, file} = await createFree(tornFolder, position, files);
	try {
		await writeAll(file, segment.subarray(position.offset), 0);
		await file.sync();
	} finally {
		await file.close();
	}

	await files.syncFolder(tornFolder);
	return path;
};

/** Creates the file under a free name: an older copy may exist. */
const createFree = async (
	tornFolder: string,
	position: Position,
	files: JournalFiles,
): Promise<{readonly path: string; readonly file: JournalFile}> => {
	for (let copy = 1; ; copy++) {
		const name = `${String(position.segment).padStart(6, '0')}-${position.offset}-${copy}.torn`;
		const path = join(tornFolder, name);
		try {
			return {path, file: await files.create(path)};
		} catch (error) {
			if (errorCode(error) !== 'EEXIST') {
				throw error;
			}
		}
	}
};
