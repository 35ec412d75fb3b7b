import {stripVTControlCharacters} from 'node:util';
import chalk from 'chalk';
import stringWidth from 'string-width';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {isSame} from '../../src/lib/values.ts';
import {kindNames} from '../../src/state/items.ts';
import {actionsHere, isListed, placesOf} from '../../src/tui/action.ts';
import {themeNames} from '../../src/tui/colors.ts';
import {frameOf} from '../../src/tui/frame.ts';
import {actions} from '../../src/tui/keys.ts';
import {update} from '../../src/tui/model/update.ts';
import {
	type Context,
	type Dialog,
	type HunksPlace,
	type ItemPlace,
	type Place,
	type View,
	whereTitles,
} from '../../src/tui/model/view.ts';
import {fieldsOf} from '../../src/tui/plan/composition.ts';
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

/** Those in which what each key leads to is tried, too. */
const asked = sizes.filter(({columns}) => [40, 80, 120, 200].includes(columns));

const unstyled = themeFor('auto', {NO_COLOR: '1'});
const themes = themeNames.map(name => themeFor(name, {}));

const wordsOf = (frame: readonly Row[], theme: Theme): readonly string[] =>
	frame.map(row => stripVTControlCharacters(rowText(row, theme)));

/** Fails unless a frame of a size is exactly as large, nothing in it steers a terminal, and every theme says the same. */
const expectFrame = (context: Context, size: Size, about: string): string => {
	const frame = frameOf({...context, view: {...context.view, size}});
	const look = lookOf(frame);
	if (known.has(look)) {
		return look;
	}

	known.add(look);
	const words = wordsOf(frame, unstyled);
	const wrong = words.filter(row => stringWidth(row) > size.columns || /\p{Cc}/u.test(row));
	const others = themes.filter(theme => !isSame(wordsOf(frame, theme), words));
	const expected = {about, size, rows: size.rows, wrong: [], others: []};
	expect({about, size, rows: frame.length, wrong, others}).toEqual(expected);
	return look;
};

/** A frame without colours, with what is bold, underlined or inverse in it. */
const lookOf = (frame: readonly Row[]): string =>
	frame.map(row => rowText(row, unstyled)).join('\n');

/** Looks of the frames that were tried already. */
const known = new Set<string>();

/** Where a person is among what stands on the screen, for each way in which a key can move them; nothing before they went anywhere. */
const focusOf = ({place, agent, row, dialog}: View): readonly unknown[] => [
	place.at,
	place.at === 'matrix'
		? place.cell
		: place.at === 'hunks'
			? place.hunk
			: place.at === 'plan'
				? fieldsOf(place.composition)[place.cursor]?.part
				: 'cursor' in place
					? place.cursor
					: undefined,
	place.at === 'board' ? agent : undefined,
	place.at === 'inbox' ? row : undefined,
	dialog.kind,
	dialog.kind === 'lines' ? [dialog.at, dialog.from ?? dialog.at] : undefined,
	dialog.kind === 'palette' ? dialog.chosen : undefined,
];

/** Returns whether a key has moved them from one place to another. */
const isMoved = (before: View, after: View): boolean => {
	const now = focusOf(after);
	return focusOf(before).some((one, way) => one !== undefined && !isSame(one, now[way]));
};

/** All that views have to show in one place or another. */
const parts: Readonly<
	Record<
		| `dialog ${Dialog['kind']}`
		| `agent ${Extract<Place, {at: 'agent'}>['show']}`
		| `hunks of a ${HunksPlace['of']}`
		| `item ${ItemPlace['shows']}`,
		true
	>
> = {
	'dialog none': true,
	'dialog note': true,
	'dialog answer': true,
	'dialog message': true,
	'dialog profile': true,
	'dialog lines': true,
	'dialog comment': true,
	'dialog search': true,
	'dialog palette': true,
	'dialog field': true,
	'dialog path': true,
	'dialog waiting': true,
	'dialog proposing': true,
	'dialog confirm': true,
	'agent words': true,
	'agent work': true,
	'agent about': true,
	'hunks of a conflict': true,
	'hunks of a work': true,
	'item facts': true,
	'item outcome': true,
};

const partsOf = ({place, dialog}: View): readonly string[] => [
	`dialog ${dialog.kind}`,
	...(place.at === 'agent' ? [`agent ${place.show}`] : []),
	...(place.at === 'hunks' ? [`hunks of a ${place.of}`] : []),
	...(place.at === 'item' ? [`item ${place.shows}`] : []),
];

const pressed = new Set<string>();
const shown = new Set<string>();
const kinds = new Set<string>();

test.each(views)(
	'every key of the table is taken in the view "$name", fits, and shows without colours where it leads',
	async ({name, open}) => {
		const context = (await open()).context();
		const {place} = context.view;
		for (const part of [...placesOf(context), ...partsOf(context.view)]) {
			shown.add(part);
		}

		for (const {id, kind} of context.model.state.items) {
			kinds.add(place.at === 'item' && id === place.item ? kind : '');
		}

		const before = new Map(sizes.map(size => [size, expectFrame(context, size, name)] as const));
		for (const {name: action, keys} of actionsHere(context)) {
			for (const key of keys) {
				for (const size of asked) {
					const about = `${name}: ${key}`;
					const here = {...context, view: {...context.view, size}};
					const {view} = update(here, {kind: 'key', key});
					const look = expectFrame({...context, view}, size, about);
					const isHidden = isMoved(here.view, view) && look === before.get(size);
					expect({about, size, isHidden}).toEqual({about, size, isHidden: false});
				}
			}

			pressed.add(action);
		}
	},
);

test('no key, place, part of one, dialog or kind of item was left out', () => {
	expect(
		actions
			.filter(isListed)
			.filter(({name}) => !pressed.has(name))
			.map(({name}) => name),
	).toEqual([]);
	const all = [...Object.keys(whereTitles), ...Object.keys(parts)];
	expect(all.filter(part => !shown.has(part))).toEqual([]);
	expect(kindNames.filter(kind => !kinds.has(kind))).toEqual([]);
});
