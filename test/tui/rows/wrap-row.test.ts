import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Row, row, span} from '../../../src/tui/rows/row.ts';
import {widthOf} from '../../../src/tui/rows/text.ts';
import {wrapRow} from '../../../src/tui/rows/wrap-row.ts';

const textOf = (cells: Row): string => cells.map(({text}) => text).join('');

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
	expect(textOf(rows.at(-1) ?? [])).toContain('evil();');
});

test('whatever is wrapped fits, and nothing of it is left out', () => {
	const text = fc.string({unit: fc.constantFrom('a', ' ', '日', '🙂', 'e\u0301', '-')});
	fc.assert(
		fc.property(text, fc.integer({min: 4, max: 20}), (text, columns) => {
			const rows = wrapRow(row(text), columns).map(textOf);
			expect(rows.filter(line => widthOf(line) > columns)).toEqual([]);
			const [first = '', ...rest] = rows;
			expect(first + rest.map(line => line.replace(/^↳ /, '')).join('')).toBe(text);
		}),
		{seed: 1},
	);
});
