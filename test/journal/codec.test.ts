import {crc32} from 'node:zlib';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {decodeLine, encodeLine} from '../../src/journal/codec.ts';

const bytesOf = (line: string) => Buffer.from(line.trimEnd());
const entry = {seq: 7, at: '2026-11-21T20:05:00.000Z', kind: 'agent.moved', agent: 'AGT-001'};

test('a header has the members that the format names', () => {
	const line = encodeLine({journal: 1, session: 'DEL-1', segment: 2, first: 40});
	expect(line).toMatch(
		/^\{"journal":1,"session":"DEL-1","segment":2,"first":40,"crc":"[0-9a-f]{8}"\}\n$/,
	);
});

test('every entry is read back as it was written', () => {
	const bodies = fc.dictionary(
		fc.string({unit: character}).filter(key => !reserved.has(key)),
		fc.jsonValue(),
	);
	fc.assert(
		fc.property(bodies, body => {
			const written = {...entry, ...body};
			const line = encodeLine(written);
			expect(line.indexOf('\n')).toBe(line.length - 1);
			expect(decodeLine(bytesOf(line))).toEqual({
				line: 'entry',
				entry: JSON.parse(JSON.stringify(written)),
			});
		}),
	);
});

test('a line holds nothing that a terminal would obey', () => {
	const written = {...entry, title: 'a\x1b]0;b\x07\x7f\x9b31m\u202e'};
	const line = encodeLine(written);
	expect(line.trimEnd()).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
	expect(decodeLine(bytesOf(line))).toEqual({line: 'entry', entry: written});
});

/** Any character there is; fast-check's own unit for that takes a second to make. */
const character = fc
	.nat({max: 0x10ffff})
	.filter(code => code < 0xd800 || code > 0xdfff)
	.map(code => String.fromCodePoint(code));

const reserved = new Set(['seq', 'at', 'kind', 'crc', '__proto__']);

test('any change of one bit is noticed', () => {
	const good = bytesOf(encodeLine(entry));
	for (let bit = 0; bit < good.length * 8; bit++) {
		const bad = Buffer.from(good);
		bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
		expect(decodeLine(bad).line, `bit ${bit}`).toBe('corrupt');
	}
});

test('an entry with a checksum of its own is refused', () => {
	const encode = () => encodeLine({...entry, crc: 'x'} as typeof entry);
	expect(encode).toThrow('"crc"');
	expect(encode).toThrow(expect.objectContaining({kind: 'internal'}));
});

test('a later version is told apart from damage, with our checksum or another', () => {
	const later = {journal: 2, session: 'DEL-1', segments: []};
	const line = encodeLine(later as never);
	expect(decodeLine(bytesOf(line))).toEqual({line: 'unknown-version', version: 2});
	expect(decodeLine(Buffer.from(JSON.stringify(later)))).toEqual({
		line: 'unknown-version',
		version: 2,
	});
	expect(decodeLine(bytesOf(line.replace('DEL-1', 'DEL-2'))).line).toBe('corrupt');
});

test.each(['', '{}', 'null', '{"seq":1', '\0\0\0\0', '{"seq":1,"at":"x","kind":"y"}'])(
	'%j is corrupt',
	text => {
		expect(decodeLine(Buffer.from(text)).line).toBe('corrupt');
	},
);

test.each([
	{seq: 0, at: 'x', kind: 'y'},
	{seq: 1.5, at: 'x', kind: 'y'},
	{seq: 1, kind: 'y'},
	{seq: 1, at: 'x', kind: 3},
	{journal: 1, session: 'DEL-1', segment: 1},
	{journal: 1, session: 1, segment: 1, first: 1},
	{session: 'DEL-1', segment: 1, first: 1},
])('a sealed line that is neither header nor entry is corrupt: %j', value => {
	expect(decodeLine(bytesOf(encodeLine(value as never)))).toEqual({
		line: 'corrupt',
		reason: 'it is neither a header nor an entry',
	});
});

test('a line ends with the checksum of what it would be without it, in eight digits, also a small one', () => {
	const sums = Array.from({length: 200}, (_, seq) => {
		const text = `{"seq":${seq},"at":"2026-11-21T20:05:00.000Z","kind":"agent.moved","agent":"AGT-001"}`;
		const sum = crc32(text).toString(16).padStart(8, '0');
		expect(encodeLine({...entry, seq})).toBe(`${text.slice(0, -1)},"crc":"${sum}"}\n`);
		return sum;
	});
	expect(sums.some(sum => sum.startsWith('0'))).toBe(true);
});

test('a line without a checksum is told apart from one with a wrong one', () => {
	const line = encodeLine(entry).trimEnd();
	const reasonOf = (text: string) => decodeLine(Buffer.from(text));
	const none = {line: 'corrupt', reason: 'it has no checksum'};
	expect(reasonOf(line.replace('AGT-001', 'AGT-002'))).toEqual({
		line: 'corrupt',
		reason: 'its checksum is wrong',
	});
	expect(reasonOf(`${line.slice(0, -2)}'}`)).toEqual(none);
	expect(reasonOf(line.replace(',"crc":"', ',"sum":"'))).toEqual(none);
});
