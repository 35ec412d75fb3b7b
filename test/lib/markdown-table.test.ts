import {expect, test} from 'vitest';
import {cellsOf, isTableRule, printTable} from '../../src/lib/markdown-table.ts';

test('cells lose the bars and the space around them', () => {
	expect(cellsOf(' | a |  b c |')).toEqual(['a', 'b c']);
	expect(cellsOf('| a | | b')).toEqual(['a', '', 'b']);
	expect(cellsOf('a|b')).toEqual(['a', 'b']);
});

test('a bar behind a backslash is part of its cell', () => {
	expect(cellsOf('| a \\| b | c\\| |')).toEqual(['a | b', 'c|']);
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
