import {describe, expect, test} from 'vitest';
import {diffParts, diffRows} from '../../src/tui/rows/diff-rows.ts';
import {bodyOf} from '../../src/tui/screens/body.ts';
import type {Size} from '../../src/tui/terminal/full-screen.ts';
import {snapshotTaken} from '../helpers/quiet-outcome.ts';
import {expectAsBefore} from './a-frame.ts';
import {
	aDiff,
	adding,
	aSurfaceDiff,
	large,
	openAt,
	readThrough,
	resourcesOf,
	shownAs,
	small,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';

const journal = 'questions-and-checkpoints';

/** Opens the first work that waits for a person, with its diff. */
const openWork = async (
	kind: 'review' | 'checkpoint' = 'review',
	{size = small, diff = aDiff}: {size?: Size; diff?: string} = {},
): Promise<TestScreen> => {
	const screen = openAt(kind, await whenFirst(journal, kind), {size});
	screen.learn({resources: resourcesOf(screen.context(), diff)});
	return screen;
};

test.each([aDiff, aSurfaceDiff, adding(90)])(
	'each line of a diff has the number of its file, and the rows that it stands in',
	diff => {
		const resource = shownAs(diff.replaceAll('line 1', `line ${'long '.repeat(50)}`));
		const rows = diffRows(resource, {columns: 60});
		const {files} = diffParts(resource, {columns: 60});
		const lines = files.flatMap(({placed}) => placed().lines);
		const told = lines.map(({rows: [from, to], number}) => [
			number,
			rows
				.slice(from, to)
				.flat()
				.map(({text}) => text)
				.join('')
				.replaceAll('↳ ', ''),
		]);
		let [before, after] = [0, 0];
		const expected = resource.lines.flatMap(line => {
			const [, old, fresh] = /^@@ -(\d+)\S* \+(\d+)/.exec(line) ?? [];
			if (old !== undefined && fresh !== undefined) {
				[before, after] = [Number(old), Number(fresh)];
			}

			const sign = line.charAt(0);
			if (!/^(?:[ +-](?!\+\+ |-- ))/.test(line)) {
				return [];
			}

			before += sign === '+' ? 0 : 1;
			after += sign === '-' ? 0 : 1;
			const text = line.slice(1).replaceAll('\t', '    ');
			return [[(sign === '-' ? before : after) - 1, `${sign === '-' ? '−' : sign} ${text}`]];
		});
		expect(told).toEqual(expected);
	},
);

describe('the numbers of lines', () => {
	test.each([
		[{columns: 80, rows: 24}, false],
		[{columns: 120, rows: 40}, true],
		[large, true],
	])('are shown in %o: %s; # turns that', async (size, shown) => {
		const screen = await openWork('review', {size});
		const isNumbered = () => /^.* {4}2 \+ +const most = 100;$/m.test(screen.frame());
		screen.press('end');
		expect(isNumbered()).toBe(shown);
		screen.press('#', 'end');
		expect(isNumbered()).toBe(!shown);
	});
});

describe('a comment on lines', () => {
	test('is part of the feedback, with their path and numbers', async () => {
		const screen = await openWork();
		screen.press('C', 'down', 'enter');
		expect(screen.frame()).toContain('Your comment on src/limit.js:2');
		expect(screen.frame()).toMatch(/⏎ keep /);
		screen.type('why 100?');
		screen.press('enter');
		expect(screen.notice()).toBe('Your note holds 1 comment; Esc leads back to your decision.');
		screen.press('space', 'down', 'down', 'C');
		expect(screen.frame()).toContain('Your comment on src/limit.js:2–4');
		screen.type('say it once');
		screen.press('enter', 'esc', 'f');
		expect(screen.frame()).toContain('Your note, with');
		screen.press('enter');
		expect(screen.asked()).toMatchObject([
			{choice: 'feedback', note: 'src/limit.js:2: why 100?\nsrc/limit.js:2–4: say it once'},
		]);
	});

	test('is left by the key that leaves the screen, as all places are', async () => {
		const screen = await openWork();
		screen.press('C', 'ctrl+c');
		expect(screen.effects()).toContainEqual({do: 'leave'});
	});

	test('on a line that is gone says so', async () => {
		const screen = await openWork();
		screen.press('C', 'enter');
		screen.type('it was right');
		screen.press('enter', 'esc', 'f');
		expect(screen.frame()).toContain('src/limit.js:2 (before the change): it was right');
	});

	test('goes with a decision that takes a note, and is not lost with one that takes none', async () => {
		const checkpoint = await openWork('checkpoint');
		checkpoint.press('C', 'enter');
		checkpoint.type('as a constant');
		checkpoint.press('enter', 'esc', 'c', 'enter');
		expect(checkpoint.asked()).toMatchObject([
			{choice: 'continue', note: 'src/limit.js:2 (before the change): as a constant'},
		]);

		const review = await openWork();
		readThrough(review, aDiff);
		review.press('C', 'enter');
		review.type('as a constant');
		review.press('enter', 'esc', 'm', 'enter');
		expect(review.frame()).toContain('1 comment that you wrote on it would be lost.');
		expect(review.asked()).toEqual([]);
	});

	test('is there again for whoever left it half-way', async () => {
		const screen = await openWork();
		screen.press('C', 'enter');
		screen.type('half');
		screen.press('esc', 'C', 'C');
		expect(screen.frame()).toMatch(/Your comment on src\/limit\.js:2[\s\S]*half/);
	});

	test('is there again, too, once the agent has gone on', async () => {
		const screen = await openWork();
		screen.press('C', 'enter');
		screen.type('half');
		screen.press('esc');
		const {state} = screen.context().model;
		const item = state.items.find(({kind}) => kind === 'review');
		screen.happens(snapshotTaken(state, item?.kind === 'review' ? item.agent : '', 'changed'));
		screen.learn({resources: resourcesOf(screen.context(), aDiff)});
		screen.press('C', 'C');
		expect(screen.frame()).toMatch(/Your comment on src\/limit\.js:2[\s\S]*half/);
	});

	test('goes with the next message, where the agent is still at work', async () => {
		const screen = await openWork('checkpoint');
		screen.press('esc', 'esc', 'o', 'd');
		screen.learn({resources: resourcesOf(screen.context(), aDiff)});
		screen.press('C', 'down', 'enter');
		screen.type('why 100?');
		screen.press('enter', 'esc', 'w');
		expect(screen.frame()).toContain('src/limit.js:2: why 100?');
	});

	test.each([small, {columns: 120, rows: 40}, large])(
		'is marked where it stands, in %o',
		async size => {
			const screen = await openWork('review', {size, diff: aDiff + adding(90)});
			screen.press('C', 'down', 'enter');
			screen.type('why 100?');
			screen.press('enter', 'down', 'space', ...Array.from({length: 30}, () => 'down'));
			await expectAsBefore('lines', screen.frame(), size);
		},
	);
});

test('the lines that were chosen are copied as they stand in their file', async () => {
	const screen = await openWork();
	screen.press('C', 'space', 'down', 'down', 'y');
	const text = '\tconst most = 10;\n\tconst most = 100;\n\tconst burst = 20;\n';
	expect(screen.effects().at(-1)).toEqual({do: 'copy', text});
	expect(screen.notice()).toBe('Copied 3 lines, if your terminal lets programs do that.');
});

test('no control character of a line is copied, since a shell takes it for a key', async () => {
	const screen = await openWork('review', {diff: aDiff.replace('= 10;', '= \x1b[201~\x03\r;')});
	screen.press('C', 'y');
	expect(screen.effects().at(-1)).toEqual({do: 'copy', text: '\tconst most = ␛[201~␃␍;\n'});
});

describe('e, at a diff', () => {
	test('opens the file in its worktree, at the line in sight or at the one that the person has gone to', async () => {
		const screen = await openWork('checkpoint');
		screen.press('e', 'C', 'down', 'down', 'e');
		const visit = {do: 'visit', agent: 'AGT-002', how: 'editor'};
		expect(screen.effects().filter(({do: what}) => what === 'visit')).toEqual([
			{...visit, at: {path: 'src/limit.js', line: 2}},
			{...visit, at: {path: 'src/limit.js', line: 3}},
		]);
	});

	test('opens a copy where the agent has finished', async () => {
		const screen = await openWork();
		screen.press('e');
		expect(screen.effects().at(-1)).toMatchObject({
			do: 'open-copy',
			at: {path: 'src/limit.js', line: 2},
		});
	});
});

test('e opens a file in sight that is no text, as a copy', async () => {
	const binary =
		'diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n';
	const alone = await openWork('review', {diff: binary});
	const among = await openWork('checkpoint', {diff: aDiff + binary + adding(90)});
	alone.press('e');
	among.press('J', 'J', 'J', 'e');
	const opened = {do: 'open-copy', at: {path: 'x.png'}};
	expect([alone, among].map(screen => screen.effects().at(-1))).toMatchObject([opened, opened]);
	expect(alone.effects().at(-1)).not.toHaveProperty('at.line');
	among.press('J', 'e');
	expect(among.effects().at(-1)).toMatchObject({do: 'visit', at: {path: 'src/a.js'}});
});

test('the rows of a diff are laid out once, however many keys are pressed in it', async () => {
	const screen = await openWork('review', {diff: adding(90)});
	const {rows} = bodyOf(screen.context());
	screen.press('pageDown', 'j', '}');
	expect(bodyOf(screen.context()).rows).toBe(rows);
});
