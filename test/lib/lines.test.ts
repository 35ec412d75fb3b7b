import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createLineSplitter} from '../../src/lib/lines.ts';

const split = (
	chunks: Iterable<Uint8Array | string>,
	{maxLength = 10, skip}: {maxLength?: number; skip?: (text: string, from: number) => boolean} = {},
): unknown[] => {
	const lines: unknown[] = [];
	const splitter = createLineSplitter({
		maxLength,
		onLine: (text, number, cut) => lines.push(cut ? [number, text, 'cut'] : [number, text]),
		...(skip === undefined ? {} : {skip}),
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
});

test('a character cut in two is put together', () => {
	const bytes = new TextEncoder().encode('é😀\n');
	expect(split(Array.from(bytes, byte => Uint8Array.of(byte)))).toEqual([[1, 'é😀']]);
});

test('bytes that stay incomplete become one replacement character', () => {
	expect(split([Uint8Array.of(0xc3)])).toEqual([[1, '\ufffd']]);
	expect(split([Uint8Array.of(0xc3), 'a'])).toEqual([[1, '\ufffda']]);
});

test('lines that are passed over are counted', () => {
	const skip = (text: string, from: number): boolean => text[from] === '#';
	expect(split(['#a\nb\n#c\n#d\ne'], {skip})).toEqual([
		[2, 'b'],
		[5, 'e'],
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
