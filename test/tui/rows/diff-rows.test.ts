import {expect, test} from 'vitest';
import {diffRows} from '../../../src/tui/rows/diff-rows.ts';
import {countSpans, totalOf} from '../../../src/tui/rows/listed-files.ts';
import {textOfRow, textsOf} from '../../../src/tui/rows/row.ts';
import {aDiff, filesOf, listed} from '../a-screen.ts';

const shownAs = (lines: readonly string[], total = lines.length): readonly string[] =>
	textsOf(diffRows({phase: 'ready', lines, total}, {columns: 40}));

const head = ['diff --git a/f b/f', 'index 1..2 100644', '--- a/f', '+++ b/f'];

test('a diff whose end was not fetched is shown as far as it goes, and says how much is missing', () => {
	const lines = [...head, '@@ -1,90 +1,90 @@', ' same', '-old', '+new'];
	const shown = shownAs(lines, 200);
	expect(shown.slice(0, 5)).toEqual(['f  +1  −1', 'line 1', '  same', '− old', '+ new']);
	expect(shown.join(' ')).toContain('… and 192 more lines, not shown here.');
});

test('a diff that was cut between two files is shown as well', () => {
	const shown = shownAs(aDiff.split('\n').slice(0, 12), 20).join('\n');
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
	const text = shownAs(lines).join('\n').replaceAll('\n↳ ', '');
	expect(text).toContain(`${'y'.repeat(50)}(); evil();`);
	expect(text).toContain(name);
	expect(shown.slice().filter(row => row.some(({tone}) => tone === 'file'))).toHaveLength(1);
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

test('many lines of a file stand apart from its name, as few do', () => {
	const told = (lines: number) =>
		textOfRow(countSpans(listed('a', {added: lines, removed: lines})));
	expect([told(7), told(8300)]).toEqual(['   +7 −7   ', '+8300 −8300 ']);
});

test('what a diff leaves out is listed by name below it, and is no reason to say that nothing changed', () => {
	const files = [listed('src/long.json', {added: 21_000, shown: false}), listed('src/a.js')];
	const rowsOf = (lines: readonly string[]) =>
		textsOf(diffRows({phase: 'ready', lines, total: lines.length}, {columns: 60}, {files}));
	const told = ['Too long to be shown here', '+21000 −0   src/long.json'];
	expect(rowsOf([]).map(text => text.trim())).toEqual(expect.arrayContaining(told));
	expect(rowsOf([])).not.toContain('No change.');
	const shown = rowsOf([...head, '@@ -1 +1 @@', '-old', '+new']);
	expect(shown.indexOf('+ new')).toBeLessThan(shown.findIndex(text => text.includes('long.json')));
});

test.each([false, true])(
	'rows come alike at once and a few at a time, and so do their texts (side by side: %s)',
	sides => {
		const long = 'long '.repeat(30);
		const lines = [
			...[
				...head,
				'@@ -1,4 +1,5 @@',
				' same',
				`-const old = '桁が変わる'; ${long}`,
				'-\tgone();',
				' 👩‍👩‍👧',
			],
			...[`+const fresh = '桁が変わる'; ${long}`, '+\tcame();', `+${long}`],
			...aDiff.split('\n'),
		];
		const rows = diffRows({phase: 'ready', lines, total: lines.length}, {columns: 60, sides});
		const whole = rows.slice();
		expect(rows.length).toBe(whole.length);
		expect(whole.length).toBeGreaterThan(20);
		expect(whole.map((_, at) => rows.slice(at, at + 1)[0])).toEqual(whole);
		expect(whole.flatMap((_, at) => rows.slice(at * 3, at * 3 + 3))).toEqual(whole);
		expect(textsOf(rows)).toEqual(whole.map(textOfRow));
	},
);
