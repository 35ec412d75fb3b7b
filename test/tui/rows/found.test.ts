import {expect, test} from 'vitest';
import {holdsSpread} from '../../../src/tui/rows/found.ts';

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
