import {expect, test} from 'vitest';
import {cellsOf, isTableRule, printTable, rowOf} from '../../../src/lib/text/markdown-table.ts';

test('cells lose the bars and the space around them', () => {
	expect(cellsOf(' | a |  b c |')).toEqual(['a', 'b c']);
	expect(cellsOf('| a | | b')).toEqual(['a', '', 'b']);
	expect(cellsOf('a|b')).toEqual(['a', 'b']);
});

test('a bar behind a backslash is part of its cell', () => {
	expect(cellsOf('| a \\| b | c\\| |')).toEqual(['a | b', 'c|']);
});

test('a row with more bars than its table has columns keeps those in code and those at its end', () => {
	expect(rowOf('| a | `b | c` | d |', 3)).toEqual(['a', '`b | c`', 'd']);
	expect(rowOf('| a | b || c |', 2)).toEqual(['a', 'b || c']);
	expect(rowOf('| `a | b | c |', 2)).toEqual(['`a | b', 'c']);
	expect(rowOf('| `a | b` |', 2)).toEqual(['`a', 'b`']);
	expect(rowOf('| a |', 2)).toEqual(['a']);
});

test('a rule has dashes, colons and bars, and at least one bar', () => {
	expect(['|---|---|', '| :-- | --: |', '---|---', '|-|'].filter(isTableRule)).toHaveLength(4);
	expect(['---', '| a | - |', '||', '|   |', '|:|'].filter(isTableRule)).toEqual([]);
});

test('a printed table reads back', () => {
	const rows = [
		['A', 'B'],
		['a | b', ''],
		['c', 'd'],
	];
	const [head, rule, ...others] = printTable(rows).trimEnd().split('\n');
	expect(isTableRule(rule ?? '')).toBe(true);
	expect([head, ...others].map(line => cellsOf(line ?? ''))).toEqual(rows);
});
