import {describe, expect, test} from 'vitest';
import {keyText} from '../../src/client/resources/resources.ts';
import {printShown, type ShownWork} from '../../src/rules/by-hand/hunk-lines.ts';
import {resourcesFor} from '../../src/tui/controller.ts';
import {createHighlight} from '../../src/tui/rows/highlighter.ts';
import {bodyOf} from '../../src/tui/screens/body.ts';
import {expectAsBefore} from './a-frame.ts';
import {
	aDiff,
	listed,
	openAt,
	readThrough,
	shownAs,
	small,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';

const aWork: ShownWork = {
	work: 'w0',
	files: [
		{
			path: 'src/limit.js',
			hunks: [
				{line: 1, section: '', lines: ['-const most = 1;', '+const most = 10;', ' ']},
				{line: 40, section: 'export const burst = () => {', lines: ['+	return 20;', ' };']},
			],
		},
		{path: 'src/new.js', whole: 'new file', hunks: [{line: 1, section: '', lines: ['+new']}]},
		{path: 'logo.png', whole: 'not text', hunks: []},
	],
};

const picking = async (kind: 'failure' | 'review', ...keys: readonly string[]) => {
	const name = kind === 'failure' ? 'crashes-and-retries' : 'questions-and-checkpoints';
	const screen = openAt(kind, await whenFirst(name, kind), {size: small});
	screen.press('p');
	answer(screen);
	screen.press(...keys);
	return screen;
};

const answer = (screen: TestScreen, work = aWork): void => {
	const keys = resourcesFor(screen.context());
	expect(keys).toMatchObject([{what: {of: 'parts'}}]);
	const resources = keys.map(key => [keyText(key), shownAs(printShown(work))]);
	screen.learn({resources: Object.fromEntries(resources)});
};

describe('whoever picks from a work', () => {
	test.each([
		['failure', 'salvage'],
		['review', 'merge'],
	] as const)(
		'takes hunks and files of a %s by keys, and nothing else of it',
		async (kind, choice) => {
			const screen = await picking(kind, 'd');
			expect(screen.notice()).toBe('Nothing is picked yet; y takes this hunk.');
			screen.press('n', 'y', 'n', 'y');
			expect(screen.frame()).toContain('2 of 4 taken');
			screen.press('d');
			expect(screen.asked()).toMatchObject([
				{
					do: 'decide',
					choice,
					picked: {
						work: 'w0',
						parts: [
							{file: 0, hunks: [1]},
							{file: 2, hunks: 'all'},
						],
					},
				},
			]);
		},
	);

	test('takes a whole file, or all, and leaves them out again', async () => {
		const screen = await picking('failure', 'f');
		expect(screen.frame()).toContain('2 of 4 taken');
		screen.press('a');
		expect(screen.frame()).toContain('4 of 4 taken');
		screen.press('a', '}', 'f', '}', 'y', '{', '{', 'y');
		screen.press('enter');
		expect(screen.asked()).toMatchObject([
			{
				picked: {
					parts: [
						{file: 0, hunks: [0]},
						{file: 1, hunks: 'all'},
						{file: 2, hunks: 'all'},
					],
				},
			},
		]);
	});

	test('is asked again for parts that were not on the screen, in a diff or here', async () => {
		const screen = await picking('failure', 'n', 'a', 'd');
		expect(screen.frame().replaceAll(/\s+/g, ' ')).toContain(
			'Of the 4 parts that you take, 2 were not on the screen here: src/new.js:1, logo.png. Accept it anyway?',
		);
		screen.press('d', 'enter', 'y');
		expect(screen.asked()).toEqual([]);
		screen.press('esc', '}', '}', 'd');
		expect(screen.asked()).toMatchObject([{choice: 'salvage'}]);
	});

	test('takes what was not on the screen with a second yes', async () => {
		const screen = await picking('failure', 'a', 'd', 'Y');
		expect(screen.asked()).toMatchObject([{choice: 'salvage'}]);
		expect(screen.context().view.place.at).not.toBe('hunks');
	});

	test('takes at once what they have read in the review', async () => {
		const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'));
		readThrough(screen, aDiff);
		screen.press('p');
		answer(screen, {
			work: 'w0',
			files: [
				{
					path: 'src/new.js',
					hunks: [{line: 1, section: '', lines: ['+export const fresh = true;']}],
				},
				{path: 'src/limit.js', hunks: [{line: 1, section: '', lines: ['+	const most = 100;']}]},
			],
		});
		screen.press('a', 'd');
		expect(screen.asked()).toMatchObject([{choice: 'merge'}]);
	});

	test.each([
		[
			'the hunks before the one that goes on beyond it',
			'burst',
			1,
			'the rest of src/limit.js, src/new.js, logo.png.',
		],
		['no file that is taken whole', '+new', 2, 'picked here: src/new.js, logo.png.'],
	])(
		'picks of what there is no room to show %s, and reads the names of the rest',
		async (_, cutAt, count, named) => {
			const screen = await picking('review');
			const [key = ''] = resourcesFor(screen.context()).map(keyText);
			const all = printShown(aWork).split('\n');
			const lines = all.slice(
				0,
				all.findIndex(line => line.includes(cutAt)),
			);
			const cut = {phase: 'ready', lines, total: lines.length + 7} as const;
			screen.learn({resources: {[key]: cut}});
			expect(screen.frame()).toContain(`0 of ${count} taken`);
			expect(screen.frame()).toContain('Some of its work is too long to be shown here');
			const list = resourcesFor(screen.context()).find(({what}) => what.of === 'files');
			const lists =
				list === undefined
					? {}
					: {
							[keyText(list)]: shownAs(
								aWork.files.map(({path}) => JSON.stringify(listed(path))).join('\n'),
							),
						};
			screen.learn({resources: {[key]: cut, ...lists}});
			expect(screen.frame().replaceAll(/\s+/g, ' ')).toContain(named);
		},
	);

	test('finds what was taken after looking elsewhere, but not when the work is another one', async () => {
		const screen = await picking('failure', 'y', 'esc', 'p');
		expect(screen.frame()).toContain('1 of 4 taken');
		const {state} = screen.context().model;
		const agents = state.agents.map(agent => ({
			...agent,
			snapshots: agent.snapshots.map(one => ({...one, work: 'another'})),
		}));
		expect(agents.find(agent => agent.state === 'FAILED')?.snapshots.at(-1)?.work).toBe('another');
		screen.learn({state: {...state, agents}});
		answer(screen);
		expect(screen.frame()).toContain('0 of 4 taken');
	});

	test('is told that the item is gone', async () => {
		const screen = await picking('failure', 'y');
		const {state} = screen.context().model;
		screen.learn({state: {...state, items: []}});
		screen.press('d');
		expect(screen.frame()).toContain('is gone');
		expect(screen.asked()).toEqual([]);
	});

	test.each([
		['hunk', ['n']],
		['taken', ['n', 'y', '[']],
		['not-text', ['tab', 'tab', 'tab']],
	])('sees one part at a time: %s', async (name, keys) => {
		const screen = await picking('failure', ...keys);
		await expectAsBefore(`picking-${name}`, screen.frame(), small);
	});
});

test('source code of a part is coloured, what was removed apart', async () => {
	const screen = await picking('review', 'n');
	const context = {...screen.context(), highlight: createHighlight(undefined, 60_000)};
	const toned = bodyOf(context)
		.rows.slice()
		.flatMap(cells => cells.filter(({tone}) => tone === 'keyword'));
	expect(toned.map(({text}) => text)).toEqual(['return']);
});
