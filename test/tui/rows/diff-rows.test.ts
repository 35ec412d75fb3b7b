import {expect, test} from 'vitest';
import {diffRows, headingsIn} from '../../../src/tui/rows/diff-rows.ts';
import {totalOf} from '../../../src/tui/rows/listed-files.ts';
import {aDiff, filesOf, listed} from '../a-screen.ts';

const textsOf = (lines: readonly string[], total = lines.length): readonly string[] =>
	diffRows({phase: 'ready', lines, total}, {columns: 40}).map(cells =>
		cells.map(({text}) => text).join(''),
	);

const head = ['diff --git a/f b/f', 'index 1..2 100644', '--- a/f', '+++ b/f'];

test('a diff whose end was not fetched is shown as far as it goes, and says how much is missing', () => {
	const lines = [...head, '@@ -1,90 +1,90 @@', ' same', '-old', '+new'];
	const shown = textsOf(lines, 200);
	expect(shown.slice(0, 5)).toEqual(['f  +1  −1', 'line 1', '  same', '− old', '+ new']);
	expect(shown.join(' ')).toContain('… and 192 more lines, not shown here.');
});

test('a diff that was cut between two files is shown as well', () => {
	const shown = textsOf(aDiff.split('\n').slice(0, 12), 20).join('\n');
	expect(shown).toContain('+ \tconst burst = 20;'.replace('\t', '    '));
	expect(shown).toContain('8 more lines');
});

test('a line is wrapped, and a long name begins its file once', () => {
	const name = `src/${'x'.repeat(60)}.js`;
	const lines = [
		`diff --git a/${name} b/${name}`,
		'index 1..2 100644',
		`--- a/${name}`,
		`+++ b/${name}`,
		'@@ -0,0 +1 @@',
		`+${'y'.repeat(50)}(); evil();`,
	];
	const shown = diffRows({phase: 'ready', lines, total: lines.length}, {columns: 40});
	const text = textsOf(lines).join('\n').replaceAll('\n↳ ', '');
	expect(text).toContain(`${'y'.repeat(50)}(); evil();`);
	expect(text).toContain(name);
	expect(headingsIn(shown)).toHaveLength(1);
});

test('a file with another name counts as the two that git tells of', () => {
	const renamed = [
		'diff --git a/old b/new',
		'similarity index 100%',
		'rename from old',
		'rename to new',
	];
	expect(totalOf(filesOf([...renamed, ''].join('\n') + aDiff))).toBe('4 files, +3 −1');
});

test('what a diff leaves out is listed by name below it, and is no reason to say that nothing changed', () => {
	const files = [listed('src/long.json', {added: 21_000, shown: false}), listed('src/a.js')];
	const rowsOf = (lines: readonly string[]) =>
		diffRows({phase: 'ready', lines, total: lines.length}, {columns: 60}, {files}).map(cells =>
			cells.map(({text}) => text).join(''),
		);
	const told = ['Too long to be shown here', '+21000 −0   src/long.json'];
	expect(rowsOf([]).map(text => text.trim())).toEqual(expect.arrayContaining(told));
	expect(rowsOf([])).not.toContain('No change.');
	const shown = rowsOf([...head, '@@ -1 +1 @@', '-old', '+new']);
	expect(shown.indexOf('+ new')).toBeLessThan(shown.findIndex(text => text.includes('long.json')));
});
