import fc from 'fast-check';
import {expect, test} from 'vitest';
import {row, span, textOfRow} from '../../../src/tui/rows/row.ts';
import {widthOf} from '../../../src/tui/rows/text.ts';
import {rowCountOf, wrapPlain, wrapRow} from '../../../src/tui/rows/wrap-row.ts';

test('a row that fits stays as it is', () => {
	const cells = [span('+ ', 'added'), span('const a = 1;', 'addedWord')];
	expect(wrapRow(cells, 14)).toEqual([cells]);
	expect(wrapRow([], 14)).toEqual([[]]);
});

test('a long row goes on below, marked, and keeps its tones', () => {
	expect(wrapRow([span('+ ', 'added'), span('abcdefgh', 'addedWord')], 6)).toEqual([
		[span('+ ', 'added'), span('abcd', 'addedWord')],
		[span('↳ ', 'dim'), span('efgh', 'addedWord')],
	]);
});

test('code behind hundreds of blanks is on one of the rows', () => {
	const rows = wrapRow(row(`ok();${' '.repeat(400)}evil();`), 80);
	expect(rows).toHaveLength(6);
	expect(textOfRow(rows.at(-1) ?? [])).toContain('evil();');
});

test('whatever is wrapped fits, and nothing of it is left out', () => {
	const text = fc.string({unit: fc.constantFrom('a', ' ', '日', '🙂', 'e\u0301', '-')});
	fc.assert(
		fc.property(text, fc.integer({min: 4, max: 20}), (text, columns) => {
			const rows = wrapRow(row(text), columns).map(textOfRow);
			expect(rows.filter(line => widthOf(line) > columns)).toEqual([]);
			const [first = '', ...rest] = rows;
			expect(first + rest.map(line => line.replace(/^↳ /, '')).join('')).toBe(text);
		}),
		{seed: 1},
	);
});

test('characters of one column are counted and wrapped without rows as they are with them, wherever a span ends', () => {
	const text = fc.string({unit: fc.constantFrom('a', ' ', '-'), maxLength: 90});
	fc.assert(
		fc.property(text, fc.nat(90), fc.integer({min: 1, max: 20}), (text, cut, columns) => {
			const rows = wrapRow([span(text.slice(0, cut)), span(text.slice(cut), 'added')], columns);
			expect(wrapPlain(text, columns)).toEqual(rows.map(textOfRow));
			expect(rowCountOf(text.length, columns)).toBe(rows.length);
		}),
		{seed: 1},
	);
});
