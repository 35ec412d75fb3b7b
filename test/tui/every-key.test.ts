import {stripVTControlCharacters} from 'node:util';
import chalk from 'chalk';
import stringWidth from 'string-width';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {kindNames} from '../../src/state/items.ts';
import {actionsHere, isListed, placesOf} from '../../src/tui/action.ts';
import {themeNames} from '../../src/tui/colors.ts';
import {frameOf} from '../../src/tui/frame.ts';
import {actions} from '../../src/tui/keys.ts';
import {update} from '../../src/tui/model/update.ts';
import {type Context, whereTitles} from '../../src/tui/model/view.ts';
import type {Row} from '../../src/tui/rows/row.ts';
import type {Size} from '../../src/tui/terminal/full-screen.ts';
import {rowText, type Theme, themeFor} from '../../src/tui/theme.ts';
import {views} from './views.ts';

const {level} = chalk;
beforeAll(() => {
	chalk.level = 3;
});
afterAll(() => {
	chalk.level = level;
});

/** Those that people have, and some that fit nothing. */
const sizes = [
	[40, 10],
	[60, 16],
	[61, 40],
	[80, 24],
	[99, 17],
	[120, 40],
	[140, 24],
	[200, 50],
	[300, 90],
].map(([columns = 0, rows = 0]) => ({columns, rows}));

/** Those in which what a key leads to is tried, too; where another key led to the same, one of them. */
const asked = sizes.filter(({columns}) => [40, 80, 120, 200].includes(columns));

const unstyled = themeFor('auto', {NO_COLOR: '1'});
const themes = themeNames.map(name => themeFor(name, {}));

const wordsOf = (frame: readonly Row[], theme: Theme): readonly string[] =>
	frame.map(row => stripVTControlCharacters(rowText(row, theme)));

/** Fails unless a frame of a size is exactly as large, and nothing in it steers a terminal. */
const expectFrame = (context: Context, size: Size, about: string): readonly Row[] => {
	const frame = frameOf({...context, view: {...context.view, size}});
	const wrong = wordsOf(frame, unstyled).filter(
		row => stringWidth(row) > size.columns || /\p{Cc}/u.test(row),
	);
	const expected = {about, size, rows: size.rows, wrong: []};
	expect({about, size, rows: frame.length, wrong}).toEqual(expected);
	return frame;
};

const pressed = new Set<string>();
const places = new Set<string>();
const kinds = new Set<string>();

test.each(views)(
	'every key of the table is taken in the view "$name", and fits',
	async ({name, open}) => {
		const context = (await open()).context();
		const {place} = context.view;
		for (const where of placesOf(context)) {
			places.add(where);
		}

		for (const {id, kind} of context.model.state.items) {
			kinds.add(place.at === 'item' && id === place.item ? kind : '');
		}

		for (const size of sizes) {
			const frame = expectFrame(context, size, name);
			for (const theme of themes) {
				expect(wordsOf(frame, theme)).toEqual(wordsOf(frame, unstyled));
			}
		}

		const ledTo = new Set<string>();
		for (const {name: action, keys} of actionsHere(context)) {
			for (const key of keys) {
				const {view} = update(context, {kind: 'key', key});
				const leadsTo = `${view.place.at} ${view.dialog.kind}`;
				for (const size of ledTo.has(leadsTo) ? asked.slice(1, 2) : asked) {
					expectFrame({...context, view}, size, `${name}: ${key}`);
				}

				ledTo.add(leadsTo);
			}

			pressed.add(action);
		}
	},
);

test('no key, place or kind of item was left out', () => {
	expect(
		actions
			.filter(isListed)
			.filter(({name}) => !pressed.has(name))
			.map(({name}) => name),
	).toEqual([]);
	expect(Object.keys(whereTitles).filter(where => !places.has(where))).toEqual([]);
	expect(kindNames.filter(kind => !kinds.has(kind))).toEqual([]);
});
