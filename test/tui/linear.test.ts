import {renderToString} from 'ink';
import {createElement} from 'react';
import {describe, expect, test} from 'vitest';
import {Frame} from '../../src/tui/app.tsx';
import {laidOutSize, type Size} from '../../src/tui/terminal/full-screen.ts';
import {themeFor} from '../../src/tui/theme.ts';
import {
	aDiff,
	large,
	openAt,
	openScreen,
	resourcesOf,
	type TestScreen,
	whenFirst,
	whileChecked,
} from './a-screen.ts';

const journal = 'questions-and-checkpoints';

/** Every view, by the keys that lead there. */
const views: Readonly<Record<string, (size: Size) => Promise<TestScreen>>> = {
	board: async size => openScreen(await whenFirst(journal, 'checkpoint'), {size}),
	'board while checked': async size =>
		openScreen(await whileChecked('check-fails', ['$ npm test']), {size}),
	review: async size => openAt('review', await whenFirst(journal, 'review'), {size}),
	'review side by side': async size => {
		const screen = openAt('review', await whenFirst(journal, 'review'), {size});
		screen.learn({resources: resourcesOf(screen.context(), aDiff)});
		screen.press('|', 'end');
		return screen;
	},
	approval: async size => openAt('approval', await whenFirst('check-fails', 'approval'), {size}),
	conflict: async size =>
		openAt('conflict', await whenFirst('conflict-by-hand', 'conflict'), {size}),
	question: async size => openAt('question', await whenFirst(journal, 'question'), {size}),
	...Object.fromEntries(
		[['i'], ['l'], ['m'], ['?'], ['o'], ['o', 'd'], ['o', 'a'], [':']].map(keys => [
			`the view behind ${keys.join(' ')}`,
			async (size: Size) => {
				const screen = openScreen(await whenFirst(journal, 'review'), {size});
				screen.press(...keys);
				return screen;
			},
		]),
	),
};

const linear = {INK_SCREEN_READER: 'true'};

const spoken = (screen: TestScreen): readonly string[] => {
	const theme = themeFor('auto', {NO_COLOR: '1'});
	const frame = createElement(Frame, {context: screen.context(), theme, linear: true});
	return renderToString(frame, {columns: 200}).trimEnd().split('\n');
};

describe('read aloud', () => {
	test.each(Object.entries(views))('%s says one thing after the other', async (_, open) => {
		const rows = spoken(await open(laidOutSize(large, linear)));
		expect(rows.length).toBeGreaterThan(2);
		expect(rows.filter(row => row.trim() === '')).toEqual([]);
		expect(rows.filter(row => /──|━━/.test(row))).toEqual([]);
		expect(rows.filter(row => /\S.* │ /.test(row))).toEqual([]);
	});

	test('nothing that the eye can read in the same width is left out', async () => {
		const screen = await views.review?.(laidOutSize(large, linear));
		const words = (rows: readonly string[]) =>
			rows
				.join(' ')
				.replaceAll(/[─━\s]+/g, ' ')
				.trim();
		expect(words(spoken(screen as TestScreen))).toBe(
			words((screen as TestScreen).frame().split('\n')),
		);
	});

	test('a screen that is looked at has all its columns', () => {
		expect(laidOutSize(large, {})).toEqual(large);
		expect(laidOutSize({columns: 60, rows: 16}, linear)).toEqual({columns: 60, rows: 16});
	});
});
