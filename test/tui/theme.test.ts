import {stripVTControlCharacters} from 'node:util';
import chalk from 'chalk';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {colorNames, tones} from '../../src/tui/colors.ts';
import {span} from '../../src/tui/rows/row.ts';
import {rowText, themeFor} from '../../src/tui/theme.ts';

const {level} = chalk;
beforeAll(() => {
	chalk.level = 3;
});
afterAll(() => {
	chalk.level = level;
});

const words = tones.map(tone => span(tone, tone));

const [csi, faint, inverse] = ['\x1b[', '\x1b[2m', '\x1b[7m'];

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
