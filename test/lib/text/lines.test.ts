import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createLineSplitter} from '../../../src/lib/text/lines.ts';

const split = (
	chunks: Iterable<Uint8Array | string>,
	{maxLength = 10}: {maxLength?: number} = {},
): unknown[] => {
	const lines: unknown[] = [];
	const splitter = createLineSplitter({
		maxLength,
		onLine: (text, number, cut) => lines.push(cut ? [number, text, 'cut'] : [number, text]),
	});
	for (const chunk of chunks) {
		splitter.push(chunk);
	}

	splitter.end();
	return lines;
};

test('lines end with a newline, and the last one with the stream', () => {
	expect(split(['a\nb', 'c\n\nd'])).toEqual([
		[1, 'a'],
		[2, 'bc'],
		[3, ''],
		[4, 'd'],
	]);
	expect(split(['a\n'])).toEqual([[1, 'a']]);
	expect(split([])).toEqual([]);
});

test('a line is told with how many bytes there were up to its end, however they came', () => {
	const bytes = new TextEncoder().encode('a\r\né\n\nlonger than ten\nd');
	for (const size of [1, 2, 5, bytes.length]) {
		const ends: number[] = [];
		const lines = createLineSplitter({maxLength: 10, onLine: (...line) => ends.push(line[3])});
		for (let at = 0; at < bytes.length; at += size) {
			lines.push(bytes.subarray(at, at + size));
		}

		lines.end();
		expect(ends).toEqual([3, 6, 7, 23, 24]);
	}
});

test('carriage returns before a newline are dropped and others stay', () => {
	expect(split(['a\r\nb\r\r\nc\rd\n'])).toEqual([
		[1, 'a'],
		[2, 'b'],
		[3, 'c\rd'],
	]);
});

test('a line that is too long is handed over once, cut', () => {
	expect(split(['0123456789\n0123456789a', 'bc', 'd\ne'])).toEqual([
		[1, '0123456789'],
		[2, '0123456789', 'cut'],
		[3, 'e'],
	]);
	expect(split(['😀'.repeat(6)])).toEqual([[1, '😀'.repeat(5), 'cut']]);
	expect(split(['残'.repeat(10), '\n'])).toEqual([[1, '残'.repeat(10)]]);
	expect(split(['x'.repeat(100_000), '\nb'])).toEqual([
		[1, 'x'.repeat(10), 'cut'],
		[2, 'b'],
	]);
});

test('a character cut in two is put together', () => {
	const bytes = new TextEncoder().encode('é😀\n');
	expect(split(Array.from(bytes, byte => Uint8Array.of(byte)))).toEqual([[1, 'é😀']]);
	expect(split(['é\ud83d', '', '\ude00\n'])).toEqual([[1, 'é😀']]);
	expect(split(['\ud83d', bytes])).toEqual([[1, '\ufffdé😀']]);
	expect(split(['a\ud83d'])).toEqual([[1, 'a\ufffd']]);
});

test('bytes that stay incomplete become one replacement character', () => {
	expect(split([Uint8Array.of(0xc3)])).toEqual([[1, '\ufffd']]);
	expect(split([Uint8Array.of(0xc3), 'a'])).toEqual([[1, '\ufffda']]);
	expect(split([Uint8Array.of(0xc3, 0x0a, 0xa9)])).toEqual([
		[1, '\ufffd'],
		[2, '\ufffd'],
	]);
});

test('any chunking gives the same lines', () => {
	const text = fc
		.array(fc.constantFrom('\n', '\r\n', 'a', 'é', '😀', '0123456789'))
		.map(each => each.join(''));
	fc.assert(
		fc.property(text, fc.array(fc.nat({max: 30})), (whole, cuts) => {
			const bytes = new TextEncoder().encode(whole);
			const places = [
				0,
				...cuts.filter(cut => cut < bytes.length).toSorted((a, b) => a - b),
				bytes.length,
			];
			const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
			expect(split(chunks)).toEqual(split([whole]));
		}),
	);
});
