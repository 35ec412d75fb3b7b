import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {sanitize} from '../../src/lib/text/sanitize.ts';
import {chosenLines} from '../../src/tui/model/lines.ts';
import {diffParts, diffRows, drawnRow} from '../../src/tui/rows/diff-rows.ts';
import {bodyOf} from '../../src/tui/screens/body.ts';
import type {Size} from '../../src/tui/terminal/full-screen.ts';
import {expectAsBefore} from './a-frame.ts';
import {
	aDiff,
	adding,
	large,
	openAt,
	resourcesOf,
	shownAs,
	small,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';

const medium: Size = {columns: 120, rows: 40};

/** Lines that are the same, changed, moved apart by others, only removed, only added, and without an end; wide ones and long ones. */
const changes = `diff --git a/src/limit.js b/src/limit.js
index 1111111..2222222 100644
--- a/src/limit.js
+++ b/src/limit.js
@@ -7,8 +7,10 @@ export
 export const limit = requests => {
-	const gone = 1;
-	const most = 10;
+	// 桁が変わる comment ${'that goes on and on '.repeat(5)}
+	// about the most
+	const most = 100;
+	const burst = 20;
 	return requests > most;
 };
-removed();
 kept();
+added();
-export default limit;
\\ No newline at end of file
+export default {limit};
`;

const openReview = async (size: Size, diff = changes): Promise<TestScreen> => {
	const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'), {size});
	screen.learn({resources: resourcesOf(screen.context(), diff)});
	return screen;
};

/** Returns the rows of a diff side by side, each as its two halves; of what stands across both, the only one. */
const halvesOf = (diff: string, columns: number): readonly (readonly string[])[] => {
	const [resource, size] = [shownAs(diff), {columns, numbers: true, sides: true}];
	const parts = {...diffParts(resource, size), size};
	const draw: Parameters<typeof drawnRow>[3] = ({cells, rows: [from]}, row, number) => [
		...number,
		...(cells[row - from] ?? []),
	];
	return diffRows(resource, size)
		.slice()
		.map((plain, row) =>
			drawnRow(plain, parts, row, draw)
				.map(({text}) => text)
				.join('')
				.split(' │ ')
				.map(half => half.trimEnd()),
		);
};

test('a changed line stands beside itself, and each side has its own numbers', () => {
	expect(halvesOf(changes, 100).slice(1, -1)).toEqual([
		['line 7'],
		['    7   export const limit = requests => {', '    7   export const limit = requests => {'],
		['', '    8 +     // 桁が変わる comment that goes on a'],
		['', '      ↳ nd on that goes on and on that goes on a'],
		['', '      ↳ nd on that goes on and on that goes on a'],
		['', '      ↳ nd on'],
		['', '    9 +     // about the most'],
		['    8 −     const gone = 1;', '   10 +     const most = 100;'],
		['    9 −     const most = 10;', '   11 +     const burst = 20;'],
		['   10       return requests > most;', '   12       return requests > most;'],
		['   11   };', '   13   };'],
		['   12 − removed();', ''],
		['   13   kept();', '   14   kept();'],
		['', '   15 + added();'],
		['   14 − export default limit;', '   16 + export default {limit};'],
		['         No newline at end of file', ''],
	]);
});

test.each([100, 118, 198])('in %i columns nothing of a line is left out', columns => {
	const halves = halvesOf(changes, columns);
	const sideOf = (index: 0 | 1): string =>
		halves
			.slice(2)
			.map(half => (half[index] ?? '').slice(8))
			.join('');
	const textOf = (sign: string): string =>
		changes
			.split('\n')
			.slice(5)
			.filter(line => line.startsWith(sign) || line.startsWith(' '))
			.map(line => line.slice(1).replaceAll('\t', '    '))
			.join('');
	const joined = (text: string): string => text.replaceAll(/\s/g, '');
	expect(joined(sideOf(1))).toBe(joined(textOf('+')));
	expect(joined(sideOf(0).replace('No newline at end of file', ''))).toBe(joined(textOf('-')));
});

test('a file that is new has all columns, since nothing stands beside it', () => {
	expect(halvesOf(adding(2), 100)).toEqual([
		['src/a.js  +2'],
		['line 1'],
		['    1 + line 0'],
		['    2 + line 1'],
		[''],
	]);
});

test.each([
	'שלום עולם',
	'مرحبا بالعالم',
	'桁が変わる',
	'👩‍👩‍👧 🇨🇭 ✔️',
	'e\u0301a\u0308',
	'\u202egnp.exe',
	'\x1b[31mred\r',
])('the sides stay in their columns beside %j', text => {
	const lines = Array.from({length: 5}, (_, index) => text.repeat(index * 4 + 1));
	const diff = [
		...['--- a/f', '+++ b/f', `@@ -1,${lines.length + 1} +1,${lines.length + 1} @@`, ' same'],
		...lines.map(line => `-${line}`),
		...lines.map(line => `+${line} fresh`),
		'',
	].join('\n');
	const [resource, size] = [shownAs(diff), {columns: 100, numbers: true, sides: true}];
	const parts = {...diffParts(resource, size), size};
	const rows = diffRows(resource, size)
		.slice()
		.map((plain, row) =>
			drawnRow(plain, parts, row, ({cells, rows: [from]}, at, number) => [
				...number,
				...(cells[at - from] ?? []),
			])
				.map(cell => sanitize(cell.text))
				.join(''),
		);
	const beside = rows.filter(row => row.includes(' │ '));
	expect(beside.length).toBeGreaterThan(5);
	expect(new Set(beside.map(row => stringWidth(row.split(' │ ')[0] ?? '')))).toEqual(new Set([48]));
	expect(rows.filter(row => stringWidth(row) > 100)).toEqual([]);
});

describe('| in a review', () => {
	test.each([medium, large])('sets both sides beside each other in %o', async size => {
		const screen = await openReview(size, changes + adding(90));
		screen.press('|');
		await expectAsBefore('side-by-side', screen.frame(), size);
	});

	test('says so where there are too few columns, and changes nothing', async () => {
		const screen = await openReview(small);
		const before = bodyOf(screen.context()).rows;
		screen.press('|');
		expect(screen.notice()).toBe('Side by side, a diff needs 100 columns; here are 78.');
		expect(bodyOf(screen.context()).rows).toBe(before);
	});

	test('is told as not fitting once the window is made narrower, and is there again in a wider one', async () => {
		const screen = await openReview(medium);
		screen.press('|');
		screen.take({kind: 'resize', size: small});
		screen.press('end');
		expect(screen.frame()).toContain('too narrow for side by side');
		screen.take({kind: 'resize', size: medium});
		expect(screen.frame()).toContain(' │ ');
		expect(screen.frame()).not.toContain('too narrow');
	});
});

/** Returns the texts of the rows in sight that hold these words. */
const rowsWith = (screen: TestScreen, words: string): readonly string[] =>
	screen
		.frame()
		.split('\n')
		.filter(text => text.includes(words));

describe.each([false, true])('with both sides beside each other: %s', sides => {
	const open = async (diff = changes): Promise<TestScreen> => {
		const screen = await openReview(medium, diff);
		screen.press(...(sides ? ['|'] : []));
		return screen;
	};

	test('a comment names the lines that were chosen, and is marked at them alone', async () => {
		const screen = await open(aDiff);
		screen.press('C', 'down', 'enter');
		expect(screen.frame()).toContain('Your comment on src/limit.js:2');
		screen.type('why?');
		screen.press('enter', 'esc');
		const [marked, ...others] = rowsWith(screen, '●');
		expect(others).toEqual([]);
		expect(marked).toMatch(/●.*const most = 100;/);
		expect(marked).not.toMatch(/●.*const most = 10;/);
	});

	test('words are found on either side', async () => {
		const screen = await open();
		screen.press('/');
		screen.type('removed()');
		screen.press('enter');
		expect(screen.frame()).toContain('match 1 of 1');
	});

	test('each added line counts as unread until all of it was on the screen', async () => {
		const screen = await open(changes + adding(200));
		screen.press('end');
		expect(screen.frame()).toMatch(/\d+ added lines unread/);
		screen.press('home');
		for (let body = bodyOf(screen.context()); body.offset < body.last; ) {
			screen.press('pageDown');
			body = bodyOf(screen.context());
		}

		expect(screen.frame()).not.toContain('lines unread');
	});

	test('the lines of a change are copied as they stand in their files', async () => {
		const screen = await open(aDiff);
		screen.press('C', 'space', 'down', 'y');
		const text = '\tconst most = 10;\n\tconst most = 100;\n';
		expect(screen.effects().at(-1)).toEqual({do: 'copy', text});
	});
});

describe('the line in sight stays where it is', () => {
	const topLine = (screen: TestScreen): string | undefined =>
		/\+ (line \d+)/.exec(screen.frame())?.[1];

	test.each([
		['as numbers come or go', (screen: TestScreen) => screen.press('#')],
		['as the sides are set beside each other', (screen: TestScreen) => screen.press('|')],
		[
			'as the window gets narrower',
			(screen: TestScreen) => screen.take({kind: 'resize', size: {columns: 90, rows: 40}}),
		],
	])('%s', async (_, change) => {
		const screen = await openReview(
			medium,
			adding(40).replaceAll(/^\+line/gm, `+${'x'.repeat(99)} line`) + adding(90),
		);
		screen.press('end', 'pageUp');
		const before = topLine(screen);
		expect(before).toBeDefined();
		change(screen);
		expect(topLine(screen)).toBe(before);
	});

	test('and so does the one that the person has gone to', async () => {
		const screen = await openReview(medium);
		screen.press('C', 'down', 'down', 'down', 'down', '|');
		const chosen = () => chosenLines(screen.context().view, bodyOf(screen.context()).diff);
		expect(chosen().map(({number}) => number)).toEqual([10]);
		screen.take({kind: 'resize', size: small});
		expect(chosen().map(({number}) => number)).toEqual([10]);
		screen.press('enter');
		expect(screen.frame()).toContain('Your comment on src/limit.js:10');
	});
});
