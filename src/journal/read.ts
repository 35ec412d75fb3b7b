import {Failure} from '../lib/failure.ts';
import {diskFailure, errorCode} from '../lib/files/reading.ts';
import type {JournalEntry} from './codec.ts';
import {diskFiles, type JournalFiles} from './files.ts';
import {
	type Fault,
	journalStart,
	nextSegment,
	type Position,
	scan,
	segmentNumber,
	segmentPath,
} from './scan.ts';

/**
End of a journal.

- `whole`: with a whole line
- `torn`: with an unfinished line, of a crash or a write in progress
- `corrupt`, `unknown-version`: at an unreadable line
*/
export type JournalEnd =
	| {readonly kind: 'whole'}
	| {readonly kind: 'torn'; readonly segment: number; readonly bytes: number}
	| Fault;

export type JournalReading = {
	/** All entries before the end, in order. */
	readonly entries: readonly JournalEntry[];
	readonly end: JournalEnd;
	/** After the last good line. */
	readonly position: Position;
};

/**
Reads a journal up to its end or damage, and changes nothing.

@throws `Failure` of kind `missing` when there is no journal
*/
export const readJournal = async (
	folder: string,
	files: JournalFiles = diskFiles,
): Promise<JournalReading> => {
	const reading = await readIfThere(folder, files);
	if (reading === undefined) {
		throw new Failure('missing', `There is no journal in ${folder}.`, {
			hint: 'delegate-tui sessions --json tells the folder of each session',
		});
	}

	return reading;
};

/** Reads a journal like `readJournal`, optionally from a position at the end of a line; `undefined` if there is none. */
export const readIfThere = async (
	folder: string,
	files: JournalFiles,
	from: Position = journalStart,
): Promise<JournalReading | undefined> => {
	const segments = (await listSegments(folder, files)).filter(one => one >= from.segment);
	return segments.length === 0 ? undefined : readSegments(folder, segments, {files, from});
};

const listSegments = async (folder: string, files: JournalFiles): Promise<readonly number[]> => {
	try {
		const names = await files.list(folder);
		return names
			.map(segmentNumber)
			.filter(segment => segment !== undefined)
			.sort((one, other) => one - other);
	} catch (error) {
		if (errorCode(error) === 'ENOENT') {
			return [];
		}

		throw diskFailure(`The journal in ${folder} could not be read`, error);
	}
};

const readSegments = async (
	folder: string,
	segments: readonly number[],
	{files, from}: {readonly files: JournalFiles; readonly from: Position},
): Promise<JournalReading> => {
	const entries: JournalEntry[] = [];
	let position = from;
	for (const [index, segment] of segments.entries()) {
		position = index === 0 ? from : nextSegment(position);
		if (segment !== position.segment) {
			return {entries, position, end: damage(position, 'the segment is missing')};
		}

		const scanned = scan(await readSegment(folder, position, files), position);
		for (const entry of scanned.entries) {
			entries.push(entry);
		}

		position = scanned.position;
		const end = endOf(scanned, index === segments.length - 1);
		if (end.kind !== 'whole') {
			return {entries, position, end};
		}
	}

	return {entries, position, end: {kind: 'whole'}};
};

const readSegment = async (
	folder: string,
	{segment, offset}: Position,
	files: JournalFiles,
): Promise<Uint8Array> => {
	const path = segmentPath(folder, segment);
	try {
		return await files.read(path, offset);
	} catch (error) {
		throw diskFailure(`The journal ${path} could not be read`, error);
	}
};

/** Returns the end of a journal. Only the last segment can be torn: a segment is synced before the next one is created. */
const endOf = (scanned: ReturnType<typeof scan>, isLast: boolean): JournalEnd => {
	const {position, rest, fault} = scanned;
	if (fault !== undefined) {
		return fault;
	}

	if (rest === 0 && position.line > 0) {
		return {kind: 'whole'};
	}

	return isLast
		? {kind: 'torn', segment: position.segment, bytes: rest}
		: damage(position, 'the segment is cut short');
};

const damage = (position: Position, reason: string): Fault => ({
	kind: 'corrupt',
	segment: position.segment,
	line: position.line + 1,
	reason,
});
