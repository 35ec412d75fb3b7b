import fc from 'fast-check';
import {expect, test} from 'vitest';
import {decodePath, encodePath} from '../../../src/lib/text/byte-path.ts';

test('any bytes come back from the string they became', () => {
	fc.assert(
		fc.property(fc.uint8Array({maxLength: 40}), bytes => {
			expect(encodePath(decodePath(bytes))).toEqual(bytes);
		}),
	);
});

test('any text is its own name', () => {
	fc.assert(
		fc.property(fc.string({unit: 'binary', maxLength: 20}), text => {
			expect(decodePath(encodePath(text))).toBe(text);
		}),
	);
});

test('a byte that is not UTF-8 becomes one lone surrogate among what is', () => {
	expect(decodePath(Uint8Array.of(0x61, 0xff, 0xc3, 0xa4))).toBe('a\udcffä');
});

test('a byte order mark is part of a name', () => {
	expect(decodePath(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
});

test('an encoded surrogate, an overlong form and a cut sequence are not taken for characters', () => {
	for (const bytes of [
		[0xed, 0xb2, 0x80],
		[0xc0, 0xaf],
		[0xe2, 0x82],
		[0xf5, 0x80, 0x80, 0x80],
	]) {
		const path = decodePath(Uint8Array.from(bytes));
		expect(path).toHaveLength(bytes.length);
		expect([...encodePath(path)]).toEqual(bytes);
	}
});
