import {expect, test} from 'vitest';
import {matchPattern} from '../../../src/lib/text/match-pattern.ts';

test.each([
	['^v\\d+$', 'v12', 'matches'],
	['^v\\d+$', 'notaversion', 'differs'],
	['(', 'x', 'no pattern'],
	['x'.repeat(1001), 'x', 'no pattern'],
	['"); process.exit(1); ("', 'x', 'no pattern'],
	['(a+)+$', `${'a'.repeat(60)}b`, 'too slow'],
	['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(200), 'too slow'],
] as const)('%s and %s: %s', (pattern, text, match) => {
	expect(matchPattern(pattern, text)).toBe(match);
});
