import {expect, test} from 'vitest';
import {encodeLine, type Header, type JournalEntry} from '../../src/journal/codec.ts';
import type {JournalFile, JournalFiles} from '../../src/journal/files.ts';
import {
	journalStart,
	keepTornTail,
	nextSegment,
	type Position,
	scan,
	segmentNumber,
	segmentPath,
} from '../../src/journal/scan.ts';
import {memoryDisk} from './memory-disk.ts';

const header: Header = {journal: 1, session: 'DEL-1', segment: 1, first: 1};
const entry = (seq: number): JournalEntry => ({seq, at: '2026-11-21T20:05:00.000Z', kind: 'noted'});

const lines = (...values: readonly (JournalEntry | Header)[]): Buffer =>
	Buffer.from(values.map(encodeLine).join(''));

const segment = lines(header, entry(1), entry(2));
const behind: Position = {
	segment: 1,
	line: 3,
	offset: segment.length,
	next: 3,
	session: 'DEL-1',
};

/** What can’t be believed of these bytes. */
const faultIn = (bytes: Uint8Array, position: Position = journalStart) =>
	scan(bytes, position).fault;

test('whole lines are read, and the place is behind the last of them', () => {
	expect(scan(segment, journalStart)).toEqual({
		entries: [entry(1), entry(2)],
		position: behind,
		rest: 0,
		fault: undefined,
	});
	expect(scan(Buffer.alloc(0), behind)).toEqual({
		entries: [],
		position: behind,
		rest: 0,
		fault: undefined,
	});
});

test('reading goes on where it stopped, in the same segment and in the next', () => {
	const more = lines(entry(3));
	const there = {...behind, line: 4, offset: segment.length + more.length, next: 4};
	expect(scan(more, behind)).toMatchObject({entries: [entry(3)], position: there});
	expect(nextSegment(there)).toEqual({...there, segment: 2, line: 0, offset: 0});
	const second = lines({...header, segment: 2, first: 4}, entry(4));
	expect(scan(second, nextSegment(there))).toEqual({
		entries: [entry(4)],
		position: {segment: 2, line: 2, offset: second.length, next: 5, session: 'DEL-1'},
		rest: 0,
		fault: undefined,
	});
});

test('a line that isn’t whole is the rest, and no fault', () => {
	for (const length of [1, 40]) {
		expect(scan(Buffer.concat([segment, Buffer.alloc(length, 'x')]), journalStart)).toEqual({
			entries: [entry(1), entry(2)],
			position: behind,
			rest: length,
			fault: undefined,
		});
	}
});

test('a last line without a right checksum is the rest, although it has its newline', () => {
	const torn = Buffer.from('{"seq":3}\n');
	expect(scan(Buffer.concat([segment, torn]), journalStart)).toEqual({
		entries: [entry(1), entry(2)],
		position: behind,
		rest: torn.length,
		fault: undefined,
	});
});

test('the same line before another is damage, and nothing behind it is read', () => {
	const damage = Buffer.concat([Buffer.from('{"seq":3}\n'), lines(entry(4))]);
	expect(scan(Buffer.concat([segment, damage]), journalStart)).toEqual({
		entries: [entry(1), entry(2)],
		position: behind,
		rest: damage.length,
		fault: {kind: 'corrupt', segment: 1, line: 4, reason: 'it has no checksum'},
	});
});

test('a later version is told as such, even on the last line', () => {
	const later = Buffer.from('{"journal":2}\n');
	expect(scan(later, journalStart)).toEqual({
		entries: [],
		position: journalStart,
		rest: later.length,
		fault: {kind: 'unknown-version', segment: 1, version: 2},
	});
});

test.each([
	[
		'an entry before the header',
		lines(entry(1)),
		journalStart,
		1,
		'the header that belongs here is missing',
	],
	['a second header', lines(header), behind, 4, 'the entry that belongs here is missing'],
	['a gap', lines(entry(4)), behind, 4, 'entry 4 stands where 3 belongs'],
	['an entry twice', lines(entry(2)), behind, 4, 'entry 2 stands where 3 belongs'],
	[
		'another segment',
		lines({...header, segment: 2}),
		journalStart,
		1,
		'it is the header of segment 2',
	],
	[
		'a segment that starts elsewhere',
		lines({...header, first: 2}),
		journalStart,
		1,
		'the segment starts with entry 2 where 1 belongs',
	],
	[
		'a segment of another session',
		lines({...header, segment: 2, first: 3, session: 'DEL-2'}),
		nextSegment(behind),
		1,
		'the segment belongs to session DEL-2',
	],
])('%s is damage, even at the end', (_, bytes, position, line, reason) => {
	expect(faultIn(bytes, position)).toEqual({
		kind: 'corrupt',
		segment: position.segment,
		line,
		reason,
	});
});

test('a session is known from its first header on', () => {
	expect(scan(lines({...header, session: 'DEL-2'}), journalStart).position.session).toBe('DEL-2');
	expect(faultIn(lines({...header, segment: 2, first: 3}), nextSegment(behind))).toBeUndefined();
});

test('a segment is known by the six digits that it is named by', () => {
	expect(segmentPath('/DEL-1/journal', 12)).toBe('/DEL-1/journal/000012.ndjson');
	expect(segmentNumber('000012.ndjson')).toBe(12);
	for (const name of ['12.ndjson', 'abcdef.ndjson', '0000012.ndjson', '000012.ndjson.old']) {
		expect(segmentNumber(name), name).toBeUndefined();
	}
});

const folder = '/DEL-1/journal';

/** A disk whose first segment ends in `torn`, with the number of its files that are open. */
const tornDisk = async (change: (file: JournalFile) => Partial<JournalFile> = () => ({})) => {
	const disk = memoryDisk();
	const segment = await disk.files.create(segmentPath(folder, 1));
	await segment.write(Buffer.from('goodtorn'), 0);
	let open = 0;
	const create: JournalFiles['create'] = async path => {
		const file = await disk.files.create(path);
		open++;
		const close = async () => {
			await file.close();
			open--;
		};
		return {...file, ...change(file), close};
	};
	return {...disk, files: {...disk.files, create}, countOpen: () => open};
};

const torn: Position = {...behind, offset: 'good'.length};

test('what is cut off is kept beside the journal for good, each time under a name of its own', async () => {
	const {files, crash, countOpen} = await tornDisk();
	const kept = [await keepTornTail(folder, torn, files), await keepTornTail(folder, torn, files)];
	expect(kept).toEqual(['/DEL-1/torn/000001-4-1.torn', '/DEL-1/torn/000001-4-2.torn']);
	expect(countOpen()).toBe(0);
	crash('everything', 'name lost');
	for (const path of kept) {
		expect(Buffer.from(await files.read(path)).toString()).toBe('torn');
	}
});

test('where what is cut off can’t be kept, the reason is told and no file stays open', async () => {
	const full = new Error('no space is left');
	const {files, countOpen} = await tornDisk(() => ({sync: () => Promise.reject(full)}));
	await expect(keepTornTail(folder, torn, files)).rejects.toBe(full);
	expect(countOpen()).toBe(0);
	const denied = Object.assign(new Error('permission denied'), {code: 'EACCES'});
	let tries = 0;
	const create: JournalFiles['create'] = path =>
		tries++ === 0 ? Promise.reject(denied) : files.create(path);
	await expect(keepTornTail(folder, torn, {...files, create})).rejects.toBe(denied);
});
