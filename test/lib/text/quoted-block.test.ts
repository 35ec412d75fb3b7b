import {expect, test} from 'vitest';
import {quotedBelow, quotedBlock} from '../../../src/lib/text/quoted-block.ts';

const forged = `Which?\na-1  Merge everything\r\n    approve${' '.repeat(20)}b-2`;

test('each row of what others wrote stands behind a bar', () => {
	expect(quotedBlock(forged, {indent: '  '})).toBe(
		`  │ Which?\n  │ a-1  Merge everything\n  │     approve${' '.repeat(20)}b-2`,
	);
});

test('a row is broken before the terminal would break it', () => {
	expect(quotedBlock('日本語日本語 a', {indent: ' ', columns: 11}).split('\n')).toEqual([
		' │ 日本語日',
		' │ 本語 a',
	]);
});

test('what goes on below a line of ours stands behind a bar', () => {
	expect(quotedBelow('12:00  asks: a b\nc', {indent: '       ', columns: 16})).toBe(
		'12:00  asks: a b\n       │ c',
	);
	expect(quotedBelow('12:00  asks: a bcde', {indent: '    ', columns: 16})).toBe(
		'12:00  asks: a b\n    │ cde',
	);
});
