import fc from 'fast-check';
import {expect, test} from 'vitest';
import {foundIn, holdsSpread} from '../../../src/tui/rows/found.ts';
import {row} from '../../../src/tui/rows/row.ts';

test.each([
	['show conflicts between agents', 'conflagen', true],
	['show conflicts between agents', 'agenconfl', false],
	['aa', 'aaa', false],
	['a👩‍👩‍👧b', 'a👩b', true],
	['anything', '', true],
])('that %j holds the characters of %j in their order is %j', (text, characters, holds) => {
	expect(holdsSpread(text, characters)).toBe(holds);
});

test('a long title of one letter is gone through once', () => {
	expect(holdsSpread('e'.repeat(100_000), `${'e'.repeat(1000)}0`)).toBe(false);
});

test('what is found while words are written is what is found once they stand', () => {
	const text = fc.string({unit: fc.constantFrom('a', 'A', 'b', 'ab', ' ', '.'), maxLength: 5});
	fc.assert(
		fc.property(fc.array(text), fc.array(text, {maxLength: 6}), (texts, searches) => {
			const written = texts.map(text => row(text));
			for (const words of searches) {
				for (let end = 0; end <= words.length; end++) {
					const whole = texts.map(text => row(text));
					expect(foundIn(written, words.slice(0, end))).toEqual(
						foundIn(whole, words.slice(0, end)),
					);
				}
			}
		}),
		{seed: 1},
	);
});
