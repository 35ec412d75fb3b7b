import {expect, test} from 'vitest';
import {type Entry, encodeLine, type Header} from '../../src/journal/codec.ts';
import {nextSegment, type Position, scan, start} from '../../src/journal/scan.ts';

const header: Header = {journal: 1, session: 'DEL-1', segment: 1, first: 1};
const entry = (seq: number): Entry => ({seq, at: '2026-11-21T20:05:00.000Z', kind: 'noted'});

const lines = (...values: readonly (Entry | Header)[]): Buffer =>
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
const faultIn = (bytes: Uint8Array, position: Position = start) => scan(bytes, position).fault;

test('whole lines are read, and the place is behind the last of them', () => {
	expect(scan(segment, start)).toEqual({
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
		expect(scan(Buffer.concat([segment, Buffer.alloc(length, 'x')]), start)).toEqual({
			entries: [entry(1), entry(2)],
			position: behind,
			rest: length,
			fault: undefined,
		});
	}
});

test('a last line without a right checksum is the rest, although it has its newline', () => {
	const torn = Buffer.from('{"seq":3}\n');
	expect(scan(Buffer.concat([segment, torn]), start)).toEqual({
		entries: [entry(1), entry(2)],
		position: behind,
		rest: torn.length,
		fault: undefined,
	});
});

test('the same line before another is damage, and nothing behind it is read', () => {
	const damage = Buffer.concat([Buffer.from('{"seq":3}\n'), lines(entry(4))]);
	expect(scan(Buffer.concat([segment, damage]), start)).toEqual({
		entries: [entry(1), entry(2)],
		position: behind,
		rest: damage.length,
		fault: {kind: 'corrupt', segment: 1, line: 4, reason: 'it has no checksum'},
	});
});

test('a later version is told as such, even on the last line', () => {
	const later = Buffer.from('{"journal":2}\n');
	expect(scan(later, start)).toEqual({
		entries: [],
		position: start,
		rest: later.length,
		fault: {kind: 'unknown-version', segment: 1, version: 2},
	});
});

test.each([
	[
		'an entry before the header',
		lines(entry(1)),
		start,
		1,
		'the header that belongs here is missing',
	],
	['a second header', lines(header), behind, 4, 'the entry that belongs here is missing'],
	['a gap', lines(entry(4)), behind, 4, 'entry 4 stands where 3 belongs'],
	['an entry twice', lines(entry(2)), behind, 4, 'entry 2 stands where 3 belongs'],
	['another segment', lines({...header, segment: 2}), start, 1, 'it is the header of segment 2'],
	[
		'a segment that starts elsewhere',
		lines({...header, first: 2}),
		start,
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
	expect(scan(lines({...header, session: 'DEL-2'}), start).position.session).toBe('DEL-2');
	expect(faultIn(lines({...header, segment: 2, first: 3}), nextSegment(behind))).toBeUndefined();
});
