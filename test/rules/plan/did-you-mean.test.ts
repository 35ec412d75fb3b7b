import {expect, test} from 'vitest';
import {didYouMean} from '../../../src/rules/plan/finding.ts';

const known = ['allowed', 'forbidden', 'goal', 'output', 'tokens'];

test.each([
	['allow', 'allowed'],
	['alowed', 'allowed'],
	['forbiden', 'forbidden'],
	['gaol', 'goal'],
	['Goals', 'goal'],
	['OUTPUT', 'output'],
	['outptu', 'output'],
])('%s means %s', (word, name) => {
	expect(didYouMean(word, known)).toBe(name);
});

test.each(['', 'x', 'copy', 'description', 'a'.repeat(10_000)])('%s means none of them', word => {
	expect(didYouMean(word, known)).toBeUndefined();
});

test('the nearest is taken when several are near', () => {
	expect(didYouMean('clod', ['cloud', 'clad', 'clod-2'])).toBe('cloud');
	expect(didYouMean('abcde', ['abcxy', 'abcdx'])).toBe('abcdx');
});
