import {stripVTControlCharacters} from 'node:util';
import chalk from 'chalk';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {colorNames, themeNames, tones} from '../../src/tui/colors.ts';
import {frameOf} from '../../src/tui/frame.ts';
import {span} from '../../src/tui/rows/row.ts';
import {rowText, type Theme, themeFor} from '../../src/tui/theme.ts';
import {aDiff, openAt, resourcesOf, whenFirst} from './a-screen.ts';

const {level} = chalk;
beforeAll(() => {
	chalk.level = 3;
});
afterAll(() => {
	chalk.level = level;
});

const words = tones.map(tone => span(tone, tone));

const [csi, faint, inverse] = ['\x1b[', '\x1b[2m', '\x1b[7m'];

test.each(themeNames)(
	'a review drawn in the theme %s has the words that it has without colours',
	async name => {
		const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'), {
			size: {columns: 160, rows: 50},
		});
		screen.learn({resources: resourcesOf(screen.context(), aDiff)});
		const drawn = (theme: Theme) => frameOf(screen.context()).map(row => rowText(row, theme));
		const inTheme = drawn(themeFor(name, {}));
		const without = drawn(themeFor(name, {NO_COLOR: '1'}));
		expect(inTheme.map(stripVTControlCharacters)).toEqual(without.map(stripVTControlCharacters));
		expect(inTheme.join('').length).toBeGreaterThan(without.join('').length);
	},
);

test('with contrast nothing is faint, and what a change did is told by more than its colour', () => {
	const contrast = themeFor('contrast', {});
	expect(rowText(words, contrast)).not.toContain(faint);
	expect(rowText(words, themeFor('dark', {}))).toContain(faint);
	for (const tone of ['added', 'removed'] as const) {
		expect(Object.keys(contrast[tone])).toEqual(['color', 'bold']);
	}
});

test.each([
	['15;0', 'dark'],
	['0;15', 'light'],
] as const)('where a terminal tells that its colours are %s, auto is %s', (COLORFGBG, name) => {
	expect(themeFor('auto', {COLORFGBG})).toEqual(themeFor(name, {}));
});

test.each([...colorNames, '#0af0af'] as const)(
	'the colour %s takes the place of the theme’s, and of that alone',
	color => {
		const own = themeFor('dark', {}, {addedWord: color});
		expect(own).toEqual({...themeFor('dark', {}), addedWord: {color, inverse: true}});
		const shown = rowText([span('new', 'addedWord')], own);
		expect(stripVTControlCharacters(shown)).toBe('new');
		expect(shown).toContain(inverse);
	},
);

test('without colours a person’s own are left out, too', () => {
	expect(
		rowText([span('new', 'added')], themeFor('dark', {NO_COLOR: '1'}, {added: 'red'})),
	).not.toContain(csi);
});
