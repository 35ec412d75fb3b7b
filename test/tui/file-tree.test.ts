import {describe, expect, test} from 'vitest';
import {bodyOf} from '../../src/tui/screens/body.ts';
import {expectToFit} from './a-frame.ts';
import {
	adding,
	aSurfaceDiff,
	large,
	listed,
	openAt,
	openScreen,
	readThrough,
	resourcesOf,
	small,
	type TestScreen,
	whenFirst,
	withSurface,
} from './a-screen.ts';

/** Returns a diff of so many files in each of so many folders, each with so many lines. */
const many = (folders: number, files: number, lines = 3): string =>
	Array.from({length: folders}, (_, folder) =>
		Array.from({length: files}, (_, file) =>
			adding(lines).replaceAll('src/a.js', `src/part${folder}/file${file}.js`),
		).join(''),
	).join('');

const atReview = async (diff: string, size = large): Promise<TestScreen> => {
	const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'), {size});
	screen.learn({resources: resourcesOf(screen.context(), diff)});
	return screen;
};

describe('a review of many files', () => {
	test('begins with its folders, and names on a small screen each file only with its lines', async () => {
		const screen = await atReview(many(6, 15), small);
		const rows = bodyOf(screen.context()).rows.slice();
		const text = rows.map(row => row.map(({text}) => text).join(''));
		expect(text.filter(row => row.includes('▸ src/part'))).toHaveLength(6);
		expect(text.findIndex(row => row.startsWith('Its diff'))).toBeLessThan(30);
		expect(text.join('\n')).toContain('+ 90 files changed');
	});

	test('keeps a tree beside the diff, open where the person reads', async () => {
		const screen = await atReview(many(3, 20));
		expect(screen.frame()).toMatch(/▾ src\/part0\/ .*\n/);
		expect(screen.frame()).toMatch(/▸ src\/part2\/ {2}20 files {2}\+60 −0 {2}20 unread/);
		screen.press('G');
		expect(screen.frame()).toMatch(/▾ src\/part2\/ {2}20 files/);
		expect(screen.frame()).toMatch(/▸ src\/part0\/ {2}20 files {2}\+60 −0 {2}\d+ unread/);
		expectToFit(screen.frame(), large);
	});

	test('keeps its tree beside the facts, too, on a screen of 120 columns, and leaves them to both sides', async () => {
		const medium = {columns: 120, rows: 40};
		const screen = await atReview(many(3, 20), medium);
		expect(screen.frame()).toMatch(/▸ src\/part2\/ {2}20 files {2}\+60 −0 /);
		expect(screen.frame()).toMatch(/▸ src\/part0\/ {2}20 files/);
		expect(screen.frame()).toContain('What it says, and what was found');
		screen.press('G');
		expect(screen.frame()).toMatch(/▾ src\/part2\/ {2}20 files/);
		expectToFit(screen.frame(), medium);
		screen.press('|');
		expect(screen.frame()).not.toContain('▾ src/part2/');
		expect(screen.context().view.sides).toBe(true);
		screen.press('|');
		expect(screen.frame()).toMatch(/▾ src\/part2\/ {2}20 files/);
	});

	test('keeps the last file in its tree where that is cut, and gives a low window to its diff', async () => {
		const diff = many(1, 60, 40);
		const cut = await atReview(diff, {columns: 120, rows: 40});
		cut.press('G');
		expect(cut.frame()).toMatch(/▸ +\+40 −0 +file59\.js/);
		const low = await atReview(diff, {columns: 120, rows: 10});
		low.press('G');
		expect(low.frame()).toMatch(/^ +40 \+ line 39/m);
	});

	test('keeps the name of the file in sight, and the number of lines never read', async () => {
		const screen = await atReview(many(2, 2, 40), small);
		expect(screen.frame()).not.toContain('lines unread');
		screen.press('G');
		expect(screen.frame()).toMatch(
			/─ src\/part1\/file1\.js {2}4 of 4 files {2}1\d\d added lines unread/,
		);
	});

	test('leads to each unread line in turn, and says when there is none left', async () => {
		const screen = await atReview(many(3, 10, 12), small);
		for (
			let pages = 0;
			screen.notice() !== 'Each added line that is shown here was on the screen.';
			pages++
		) {
			screen.press('}');
			expect(pages).toBeLessThan(90);
		}

		screen.press('m', 'enter');
		expect(screen.asked()).toMatchObject([{choice: 'merge'}]);
	});

	test('opens what is clicked in its tree: a file’s diff, or a folder and its first file', async () => {
		const screen = await atReview(many(3, 20));
		const click = (text: string) => {
			const row = screen
				.frame()
				.split('\n')
				.findIndex(shown => shown.slice(0, 80).includes(text));
			screen.take({kind: 'click', row, column: 20});
		};
		click('▸ src/part2/');
		expect(screen.frame()).toMatch(/▾ src\/part2\/ {2}20 files/);
		expect(screen.frame()).toMatch(/─ src\/part2\/file0\.js {2}41 of 60 files/);
		click('file3.js');
		expect(screen.frame()).toMatch(/─ src\/part2\/file3\.js {2}44 of 60 files/);
		click('What it says');
		expect(screen.frame()).toMatch(/─ src\/part2\/file3\.js/);
		expect(screen.asked()).toEqual([]);
	});

	test('tells in its tree which files are said to be there and are not', async () => {
		const claims = [
			{claim: './src/part0/lost.js', holds: false, found: 'missing'},
			{claim: 'src/gone/away.js', holds: false, found: 'reverted'},
			{claim: 'src/part1/lost.js', holds: false, found: 'unchanged'},
			{claim: 'src/part1/file1.js', holds: true},
		] as const;
		const known = await whenFirst('questions-and-checkpoints', 'review', event =>
			event.kind === 'snapshot.taken' ? {...event, claims} : event,
		);
		const screen = openAt('review', known, {size: large});
		screen.learn({resources: resourcesOf(screen.context(), many(2, 8))});
		const frame = screen.frame();
		expect(frame).toMatch(/ ✗ src\/gone\/away\.js {2}said, but reverted: out of its scope/);
		expect(frame).toMatch(/ ✗ lost\.js {2}said, but not there/);
		expect(frame).toMatch(/▸ src\/part1\/ {2}8 files {2}\+24 −0 {2}✗ 1 missing {2}8 unread/);
		screen.press('G');
		expect(screen.frame()).toMatch(/ ✗ lost\.js {2}said, but not changed/);
	});

	test('counts in one row what is said to be elsewhere, so that real folders stay in sight', async () => {
		const claims = Array.from({length: 20}, (_, folder) => ({
			...{claim: `src/gone${folder}/away.js`, holds: false, found: 'missing'},
		}));
		const known = await whenFirst('questions-and-checkpoints', 'review', event =>
			event.kind === 'snapshot.taken' ? ({...event, claims} as typeof event) : event,
		);
		const screen = openScreen(known, {size: large});
		screen.learn({resources: resourcesOf(screen.context(), many(3, 20))});
		const frame = screen.frame();
		expect(frame).toMatch(/✗ 20 files that it named are not in its changes/);
		expect(frame).toMatch(/▸ src\/part0\/ {2}20 files.*\n.*▸ src\/part1\/ {2}20 files/);
		expect(frame).not.toContain('src/gone');
		expectToFit(frame, large);
	});

	test('tells beside a file what runs by itself', async () => {
		const screen = openAt('review', await withSurface('review'), {size: large});
		const diff = `${aSurfaceDiff}${many(1, 8)}`;
		screen.learn({resources: resourcesOf(screen.context(), diff)});
		expect(screen.frame()).toMatch(/\+1 −1 +package\.json {2}runs by itself/);
		readThrough(screen, diff);
		expect(screen.frame()).not.toMatch(/lines? unread/);
	});
});

test('the pane of an agent that waits with many files tells them by folders', async () => {
	const screen = openScreen(await whenFirst('questions-and-checkpoints', 'review'), {size: large});
	screen.learn({resources: resourcesOf(screen.context(), many(3, 20))});
	const frame = screen.frame();
	expect(frame).toContain('60 files, +180 −0');
	expect(frame).toMatch(/▸ src\/part0\/ {2}20 files {2}\+60 −0.*\n.*▸ src\/part1\/ {2}20 files/);
	expectToFit(frame, large);
});

test.each([20, 24, 30])(
	'a result of many files names its folders in a wide window of %i rows, and each file that the diff leaves out',
	async rows => {
		const size = {columns: 160, rows};
		const screen = openAt('approval', await whenFirst('check-fails', 'approval'), {size});
		const left = listed('src/part1/long.json', {added: 21_000, shown: false});
		screen.learn({resources: resourcesOf(screen.context(), many(2, 12), [left])});
		const shown = new Set<string>();
		for (let pages = 0; pages < 40; pages++) {
			for (const row of screen.frame().split('\n')) {
				shown.add(row);
			}

			screen.press('pageDown');
		}

		const text = [...shown].join('\n');
		expect(text).toMatch(/[▾▸] src\/part0\/ {2}12 files/);
		expect(text).toContain('src/part1/long.json');
	},
);
