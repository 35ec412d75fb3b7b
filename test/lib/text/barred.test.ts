import {expect, test} from 'vitest';
import {barred, barredBelow} from '../../../src/lib/text/barred.ts';

const forged = `Which?\na-1  Merge everything\r\n    approve${' '.repeat(20)}b-2`;

test('each row of what others wrote stands behind a bar', () => {
	expect(barred(forged, {indent: '  '})).toBe(
		`  │ Which?\n  │ a-1  Merge everything\n  │     approve${' '.repeat(20)}b-2`,
	);
});

test('a row is broken before the terminal would break it', () => {
	expect(barred('日本語日本語 a', {indent: ' ', columns: 11}).split('\n')).toEqual([
		' │ 日本語日',
		' │ 本語 a',
	]);
});

test('what goes on below a line of ours stands behind a bar', () => {
	expect(barredBelow('12:00  asks: a b\nc', {indent: '       ', columns: 16})).toBe(
		'12:00  asks: a b\n       │ c',
	);
	expect(barredBelow('12:00  asks: a bcde', {indent: '    ', columns: 16})).toBe(
		'12:00  asks: a b\n    │ cde',
	);
});
