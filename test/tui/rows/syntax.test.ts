import {expect, test} from 'vitest';
import type {Resource} from '../../../src/client/model.ts';
import {diffParts, diffRows, drawnRow, linesAround} from '../../../src/tui/rows/diff-rows.ts';
import {createHighlight} from '../../../src/tui/rows/highlighter.ts';
import type {Row} from '../../../src/tui/rows/row.ts';
import {withSyntax} from '../../../src/tui/rows/syntax.ts';

/** A machine with much else to do takes long for the first lines of a language. */
const highlight = createHighlight(undefined, 60_000);

const diffTo = (path: string, lines: readonly string[]): Extract<Resource, {phase: 'ready'}> => {
	const count = (sign: string) => lines.filter(line => [' ', sign].includes(line.charAt(0))).length;
	const all = [
		`diff --git a/${path} b/${path}`,
		`--- a/${path}`,
		`+++ b/${path}`,
		`@@ -1,${count('-')} +1,${count('+')} @@`,
		...lines,
	];
	return {phase: 'ready', lines: all, total: all.length};
};

/** Returns the rows of a diff as it is laid out in so many columns, before and after their syntax was coloured. */
const rowsOf = (
	path: string,
	lines: readonly string[],
	columns = 80,
): readonly {readonly before: Row; readonly after: Row}[] => {
	const resource = diffTo(path, lines);
	const size = {columns};
	const diff = {...diffParts(resource, size), size};
	return diffRows(resource, size)
		.slice()
		.map((before, index) => ({
			before,
			after: drawnRow(before, diff, index, (placed, row) =>
				withSyntax(highlight, linesAround(diff, placed), placed, row),
			),
		}));
};

const textOf = (row: Row): string => row.map(({text}) => text).join('');

/** Returns the words of a tone, row by row. */
const toldAs = (rows: ReturnType<typeof rowsOf>, tone: string): readonly string[] =>
	rows.flatMap(({after}) => after.filter(span => span.tone === tone).map(({text}) => text));

const source = [
	' /* of two',
	'    lines */',
	'-const old = "a";',
	'+const sum = (first: number) => {',
	"+\treturn first + 12 + 'twelve'.length; // and more",
	' };',
];

test('keywords, strings, constants and comments of source code have tones of their own', () => {
	const rows = rowsOf('src/sum.ts', source);
	expect(toldAs(rows, 'keyword')).toEqual(['const', 'return']);
	expect(toldAs(rows, 'string')).toEqual(["'twelve'"]);
	expect(toldAs(rows, 'constant')).toEqual(['number', '12']);
	expect(toldAs(rows, 'comment')).toEqual(['/* of two', '   lines */', '// and more']);
});

test.each([80, 24, 12])('in %i columns no character comes, goes or changes its row', columns => {
	const rows = rowsOf('src/sum.ts', source, columns);
	expect(rows.map(({after}) => textOf(after))).toEqual(rows.map(({before}) => textOf(before)));
	expect(toldAs(rows, 'keyword').join('')).toBe('constreturn');
});

test('a removed line, a changed word, and what is no line of a file stay as they are', () => {
	const rows = rowsOf('src/sum.ts', ['-const a = 1;', '+const a = 2;', ' const b = 3;']);
	const same = rows.filter(({before, after}) => before === after).map(({after}) => textOf(after));
	expect(same).toEqual(['src/sum.ts  +1  −1', 'line 1', '− const a = 1;', '']);
	expect(toldAs(rows, 'addedWord')).toEqual(['2']);
});

test('a language that nobody knows is left alone', () => {
	const rows = rowsOf('notes.unknown', source);
	expect(rows.map(({after}) => after)).toEqual(rows.map(({before}) => before));
});

test('a language whose grammar takes too long three times is left alone from then on, and the others are not', () => {
	let tries = 0;
	const wait = (): void => {
		tries++;
		for (;;) {
			// As an expression does that tries all ways to match.
		}
	};
	const guarded = createHighlight(
		{
			slow: () => ({name: 'slow', contains: [{begin: 'go', 'on:begin': wait}]}),
			quick: () => ({name: 'quick', keywords: ['go']}),
		},
		500,
	);
	expect(guarded('a.slow', ['stay'])).toEqual([[]]);
	for (const path of ['a.slow', 'b.slow', 'c.slow', 'd.slow']) {
		expect(guarded(path, ['go'])).toBeUndefined();
	}

	expect(tries).toBe(3);
	expect(guarded('a.slow', ['stay'])).toBeUndefined();
	expect(guarded('a.quick', ['go on'])).toEqual([[{from: 0, end: 2, tone: 'keyword'}]]);
});

test('a file whose ending is the name of a method has no colours', () => {
	for (const path of ['a.constructor', 'toString', '__proto__']) {
		expect(highlight(path, ['const one = 1;'])).toBeUndefined();
	}
});
