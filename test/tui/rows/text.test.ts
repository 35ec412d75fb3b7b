import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cut, oncePerText, padded, widthOf, wrapped} from '../../../src/tui/rows/text.ts';

test.each([
	['plain', 10, 'plain'],
	['plain', 5, 'plain'],
	['plain', 4, 'pla…'],
	['日本語', 5, '日本…'],
	['日本語', 4, '日…'],
	['🎉 party', 6, '🎉 pa…'],
	['two\nlines', 20, 'two␊lines'],
	['\u001b[31mred\u001b[0m', 20, '␛[31mred␛[0m'],
	['cut be… before', 8, 'cut be…'],
	['anything', 0, ''],
])('%j cut to %i columns is %j', (text, columns, expected) => {
	expect(cut(text, columns)).toBe(expected);
});

test('whatever is cut or padded has exactly the columns it is to have', () => {
	fc.assert(
		fc.property(fc.string({unit: 'binary'}), fc.nat(40), (text, columns) => {
			expect(widthOf(cut(text, columns))).toBeLessThanOrEqual(columns);
			expect(widthOf(padded(text, columns))).toBe(columns);
		}),
	);
});

test('whatever is wrapped fits, and is harmless', () => {
	fc.assert(
		fc.property(fc.string({unit: 'binary'}), fc.integer({min: 2, max: 40}), (text, columns) => {
			for (const line of wrapped(text, columns)) {
				expect(widthOf(line)).toBeLessThanOrEqual(columns);
				expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
			}
		}),
	);
});

test('a text that nobody would read to its end is cut, and says so', () => {
	const lines = wrapped('word '.repeat(10_000), 80);
	expect(lines.length).toBeLessThan(300);
	expect(lines.at(-1)).toContain('more characters, not shown here');
});

test('a line that an agent says never makes the ones before it be wrapped again', () => {
	const line = (number: number) => wrapped(`line ${number} of what an agent says`, 20);
	for (let number = 1; number < 5000; number++) {
		const before = line(number - 1);
		line(number);
		expect(line(number - 1)).toBe(before);
	}
});

test('a text is computed once in a width, again in another one, and again when it was forgotten', () => {
	const computed: string[] = [];
	const laidOut = oncePerText(2, (text, columns: number) => {
		computed.push(`${text} ${columns}`);
		return text.slice(0, columns);
	});
	expect(['one', 'one', 'two'].map(text => laidOut(text, 2))).toEqual(['on', 'on', 'tw']);
	expect(computed.splice(0)).toEqual(['one 2', 'two 2']);
	expect(laidOut('one', 1)).toBe('o');
	expect(laidOut('three', 2)).toBe('th');
	expect(computed.splice(0)).toEqual(['one 1', 'three 2']);
	expect(laidOut('two', 2)).toBe('tw');
	expect(computed.splice(0)).toEqual([]);
	expect(laidOut('one', 1)).toBe('o');
	expect(computed).toEqual(['one 1']);
});
