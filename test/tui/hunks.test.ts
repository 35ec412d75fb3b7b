import {describe, expect, test} from 'vitest';
import {keyText} from '../../src/client/resources/resources.ts';
import {printShown, type ShownFile, type ShownHunk} from '../../src/rules/by-hand/hunk-lines.ts';
import {resourcesFor} from '../../src/tui/controller.ts';
import type {Context} from '../../src/tui/model/view.ts';
import {createHighlight} from '../../src/tui/rows/highlighter.ts';
import {bodyOf} from '../../src/tui/screens/body.ts';
import type {Size} from '../../src/tui/terminal/full-screen.ts';
import {expectAsBefore} from './a-frame.ts';
import {knownAfter, large, openAt, shownAs, small, type TestScreen} from './a-screen.ts';

const medium: Size = {columns: 120, rows: 40};

/** What was known of the recorded session right after the folder of its conflict was there, or before it was asked for. */
const known = (kind: 'resolution.opened' | 'merge.blocked') => knownAfter('conflict-by-hand', kind);

const hunk = (line: number, more: Partial<ShownHunk> = {}): ShownHunk => ({
	line,
	section: 'export const limit = requests =>',
	before: ['export const limit = requests => {'],
	left: ['	const most = 10;', '	const burst = 20;'],
	base: ['	const most = 1;'],
	right: ['	const most = 100;'],
	after: ['	return requests > most;', '};'],
	open: [],
	...more,
});

const aFile: ShownFile = {
	steps: [],
	remarks: [],
	whole: false,
	hunks: [
		hunk(2),
		hunk(40, {left: [], base: ['old();'], right: ['fresh();'], open: ['right'], after: []}),
	],
};

/** Lets all that the screen asks for be answered. */
const answer = (screen: TestScreen, file: ShownFile = aFile): void => {
	const resources = resourcesFor(screen.context()).map(key => {
		return [keyText(key), shownAs(printShown(file))] as const;
	});
	screen.learn({resources: Object.fromEntries(resources)});
};

const atHunks = async (
	{size = small, file = aFile}: {size?: Size; file?: ShownFile} = {},
	...keys: readonly string[]
): Promise<TestScreen> => {
	const screen = openAt('conflict', await known('resolution.opened'), {size});
	screen.press('m');
	answer(screen, file);
	screen.press(...keys);
	return screen;
};

/** What was asked to be kept, step by step. */
const kept = (screen: TestScreen) =>
	screen.effects().flatMap(effect => (effect.do === 'keep' ? [effect.request.steps.at(-1)] : []));

const binary: ShownFile = {...aFile, whole: true, remarks: ['It is not text.'], hunks: []};

const looks = [
	['unresolved', aFile, []],
	['base', aFile, ['v', 'B']],
] as const;

describe.each([
	{
		size: small,
		cases: [
			...looks,
			['both', aFile, ['L']],
			['no-lines', aFile, ['tab', 'l']],
			['binary', binary, []],
		],
	},
	{size: medium, cases: looks},
	{size: large, cases: looks},
] as const)('hunks on a screen of $size.columns×$size.rows', ({size, cases}) => {
	test.each(cases)(
		'%s look as they did when a person last looked at them',
		async (name, file, keys) => {
			const screen = await atHunks({size, file}, ...keys);
			await expectAsBefore(`hunks-${name}`, screen.frame(), size);
		},
	);
});

describe('whoever resolves a conflict by hand', () => {
	test('stays with it while its folder is made, and sees its hunks then', async () => {
		const screen = openAt('conflict', await known('merge.blocked'), {size: small});
		screen.press('m', 'enter');
		expect(screen.effects()).toMatchObject([{do: 'ask', request: {choice: 'manual'}}]);
		screen.happens({kind: 'user.decided', item: 'c-1', choice: 'manual', by: 'user'});
		expect(screen.frame()).toContain('is being made');
		expect(resourcesFor(screen.context())).toEqual([]);
		screen.happens({kind: 'resolution.opened', conflict: 'c-1', folder: '/r/c-1'});
		answer(screen);
		expect(screen.frame()).toContain('2 of 2 unresolved');
	});

	test.each([
		['l', 'left'],
		['r', 'right'],
		['B', 'base'],
		['L', 'left-right'],
		['R', 'right-left'],
	])('takes with %s what it says, and it is kept at once', async (key, take) => {
		const screen = await atHunks({}, key);
		expect(kept(screen)).toEqual([{do: 'pick', hunk: 0, pick: {take}}]);
		expect(screen.frame()).toContain('1 of 2 unresolved');
		screen.press('u');
		expect(kept(screen).at(-1)).toEqual({do: 'undo'});
		expect(screen.frame()).toContain('2 of 2 unresolved');
	});

	test('goes from unresolved hunk to unresolved hunk, and is done only when there is none', async () => {
		const screen = await atHunks({}, 'l', 'n');
		expect(screen.frame()).toContain('hunk 2 of 2');
		screen.press('d');
		expect(screen.notice()).toBe('1 of 2 hunks is unresolved; n goes to the next one.');
		expect(screen.effects()).toHaveLength(1);
		screen.press('r', 'n');
		expect(screen.notice()).toBe('No hunk of this file is unresolved.');
		screen.press('enter');
		expect(screen.effects().at(-1)).toMatchObject({
			do: 'ask',
			request: {do: 'decide', item: 'c-1', choice: 'done'},
			first: {after: 0, steps: [{hunk: 0}, {hunk: 1}]},
		});
	});

	test('sees which words of a changed line are other ones than before', async () => {
		const screen = await atHunks();
		const words = bodyOf(screen.context())
			.rows.slice()
			.flatMap(row => row.flatMap(({text, tone}) => (tone === 'addedWord' ? [text.trim()] : [])));
		expect(words).toEqual(['10', '100']);
	});

	test('has nothing to take back in a file that nobody touched', async () => {
		const screen = await atHunks({}, 'u');
		expect(screen.notice()).toBe('There is no step in this file to undo.');
		expect(screen.effects()).toEqual([]);
	});

	test('sees the hunks again once a step of theirs was refused', async () => {
		const screen = await atHunks({}, 'l');
		screen.take({kind: 'kept', trouble: 'It has changed in its folder meanwhile.'});
		expect(screen.notice()).toContain('changed in its folder');
		answer(screen);
		expect(screen.frame()).toContain('2 of 2 unresolved');
	});

	test('takes back what changed the file as a whole, and its hunks are read again', async () => {
		const file: ShownFile = {...aFile, steps: [{do: 'rewrite', content: 'cc'}], hunks: []};
		const screen = await atHunks({file}, 'u');
		expect(screen.effects()).toMatchObject([{do: 'keep', again: true}]);
		expect(screen.frame()).toContain('Reading the hunks');
	});

	test('edits the whole file with all that was settled in it', async () => {
		const screen = await atHunks({}, 'tab', 'r', 'E');
		expect(screen.effects().at(-1)).toMatchObject({
			do: 'edit',
			file: expect.stringMatching(/files\/src\/limit\.txt$/),
			first: {after: 0, steps: [{do: 'pick', hunk: 1}]},
		});
	});

	test('takes a whole side of a file without hunks', async () => {
		const screen = await atHunks({file: binary}, 'r');
		expect(screen.effects()).toMatchObject([{request: {choice: 'choose-one:AGT-002'}}]);
	});

	test('takes a whole side of a file whose hunks are too long to be shown, with what was settled before', async () => {
		const screen = await atHunks();
		const steps = [{do: 'pick', hunk: 1, pick: {take: 'left'}}] as const;
		const {lines} = shownAs(printShown({...aFile, steps}));
		let reads = 0;
		const learn = (shown: readonly string[]) =>
			screen.learn({
				resources: Object.fromEntries(
					resourcesFor(screen.context()).map(key => [
						keyText(key),
						{
							...{phase: 'ready', total: lines.length},
							get lines() {
								reads += 1;
								return shown;
							},
						},
					]),
				),
			});
		learn(['of another version']);
		reads = 0;
		screen.frame();
		expect(screen.frame()).toContain('so the hunks can’t be shown');
		expect(reads).toBeLessThan(2);

		learn(lines.slice(0, lines.indexOf('\t"hunks": [') + 3));
		const frame = screen.frame().replaceAll(/\s+/g, ' ');
		expect(frame).toContain('Its hunks are too long to be shown here.');
		expect(frame).toContain('take a whole side');
		screen.press('M', 'r');
		expect(screen.effects()).toMatchObject([
			{do: 'edit', versions: {}},
			{request: {choice: 'choose-one:AGT-002'}},
		]);
	});

	test('is led to where a file and a folder meet, and not to a name that git made up', async () => {
		const {state, log, tails} = await known('resolution.opened');
		const items = state.items.map(item =>
			item.kind === 'conflict' && 'stages' in item
				? {
						...item,
						path: 'src/limit.txt~1234567',
						stages: {...item.stages, b: null},
						evidence: [
							{side: 'a', path: 'src/limit.txt'},
							{side: 'b', path: 'src/limit.txt/one.txt'},
						] as const,
					}
				: item,
		);
		const screen = openAt('conflict', {state: {...state, items}, log, tails});
		screen.press('m');
		answer(screen, {...binary, remarks: ['AGT-001 has a file there.']});
		const frame = screen.frame().replaceAll(/\s+/g, ' ');
		expect(frame).toContain('c-1 src/limit.txt ');
		expect(frame).toContain('Or by hand: rename one of them in');
		expect(frame).toContain('/files; d takes everything in there.');
		expect(frame).not.toContain('~1234567');
	});

	test('comes back to the conflict with Esc, and finds what was settled', async () => {
		const screen = await atHunks({}, 'l', 'esc');
		expect(screen.frame()).toContain('Git says');
		screen.press('m');
		expect(screen.frame()).toContain('1 of 2 unresolved');
	});

	test('can scroll hunks that are longer than the screen', async () => {
		const long = Array.from({length: 60}, (_, index) => `line ${index}`);
		const file = {...aFile, hunks: [hunk(1, {left: long})]};
		const screen = await atHunks({file}, 'pageDown');
		expect(screen.frame()).toContain('line 30');
		screen.press('G');
		expect(screen.frame()).toContain('Result:');
	});
});

test('source code in the sides of a hunk is coloured, and no character comes or goes', async () => {
	const screen = await atHunks({size: medium});
	const plain = bodyOf(screen.context()).rows.slice();
	const highlight = createHighlight(undefined, 60_000);
	const context: Context = {
		...screen.context(),
		// The file of the recorded conflict is a text.
		highlight: (_, lines) => highlight('limit.js', lines),
	};
	const rows = bodyOf(context).rows.slice();
	const textsOf = (shown: typeof rows) => shown.map(cells => cells.map(({text}) => text).join(''));
	expect(textsOf(rows)).toEqual(textsOf(plain));
	const toned = rows.flat().filter(({tone}) => tone === 'keyword');
	expect(toned.map(({text}) => text)).toContain('const');
	expect(plain.flat().filter(({tone}) => tone === 'keyword')).toEqual([]);
});
