import {describe, expect, onTestFinished, test} from 'vitest';
import type {Mouse} from '../../src/tui/terminal/full-screen.ts';
import {mouseOf, ofMouse} from '../../src/tui/terminal/mouse.ts';
import {working} from '../helpers/given.ts';
import {
	aDiff,
	large,
	openAt,
	openScreen,
	resourcesOf,
	small,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';

const board = (size = small) =>
	openScreen({state: working(['AGT-001', 'AGT-002']).state()}, {size});

test.each([
	['\x1b[<65;9;9M', {kind: 'wheel', by: 1}],
	['\x1b[<68;9;9M', {kind: 'wheel', by: -1}],
	['\x1b[<0;1;2M', {kind: 'click', row: 1, column: 0}],
	['\x1b[<32;1;2M', {kind: 'drag', row: 1, column: 0}],
	['\x1b[<35;1;2M', {kind: 'other'}],
	['\x1b[<0;1;2m', {kind: 'other'}],
	['\x1b[<2;1;2M', {kind: 'other'}],
	['\x1b[A', undefined],
	['<0;1;2M', undefined],
])('%s is read as what the mouse did: %o', (input, expected) => {
	expect(ofMouse(input)).toEqual(expected);
});

/** What a program reads that listens to a mouse, of what its terminal sends piece by piece. */
const readPast = (pieces: readonly string[], between: (mouse: Mouse) => void = () => {}) => {
	const sent = [...pieces];
	const input = {read: () => sent.shift() ?? null} as unknown as NodeJS.ReadStream;
	const output = {write: () => true} as unknown as NodeJS.WriteStream;
	const mouse = mouseOf({input, output, environment: {TERM: 'xterm'}, mouse: true}, () => {});
	mouse.listen();
	onTestFinished(() => mouse.rest());
	return pieces.map(() => {
		const keys: unknown = input.read();
		between(mouse);
		return keys;
	});
};

test('no byte of a mouse is a key, in three bytes, either, as old terminals tell it, or in halves', () => {
	expect(readPast(['a\x1b[M qab', '\x1b[<0;1', ';2Mk', '\x1b[M', ' qak'])).toEqual([
		...['ab', '', 'k', '', 'k'],
	]);
});

test('no byte of a mouse report that is split after its ESC is a key, but the ESC itself', () => {
	expect(readPast(['\x1b', '[<65;9;9M', '[<65;9;9M', '\x1b', '[A'])).toEqual([
		...['\x1b', '', '[<65;9;9M', '\x1b', '[A'],
	]);
});

test.each([
	['\x1b[<65;19;9M', ''],
	['\x1b[200~a paste\x1b[201~', '\x1b[200~a paste\x1b[201~'],
	['\x1b[1;5C', '\x1b[1;5C'],
])('%j is read whole, wherever it is split behind its first two bytes', (sequence, expected) => {
	for (const end of Array.from({length: 4}, (_, index) => index + 2)) {
		const [first, second] = readPast([sequence.slice(0, end), sequence.slice(end)]);
		expect([end, first, second]).toEqual([end, '', expected]);
	}
});

test('half a sequence takes no key once the terminal was lent', () => {
	const lend = (mouse: Mouse): void => {
		mouse.rest();
		mouse.listen();
	};
	expect(readPast(['\x1b[<0;1', 'k'], lend)).toEqual(['', 'k']);
});

describe('the wheel', () => {
	test('scrolls a diff by three rows, and back', async () => {
		const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'));
		screen.learn({resources: resourcesOf(screen.context(), aDiff)});
		screen.take({kind: 'wheel', by: 1});
		expect(screen.context().view.scroll).toBe(3);
		screen.take({kind: 'wheel', by: -1});
		expect(screen.context().view.scroll).toBe(0);
	});

	test('goes along the inbox, and writes nothing where a person writes', async () => {
		const screen = openScreen(await whenFirst('questions-and-checkpoints', 'review'));
		screen.press('i');
		const first = screen.context().view.row;
		screen.take({kind: 'wheel', by: 1});
		expect(screen.context().view.row).not.toBe(first);
		screen.press('/');
		screen.take({kind: 'wheel', by: 1});
		expect(screen.context().view.dialog).toMatchObject({draft: {text: ''}});
	});
});

describe('a click', () => {
	test.each([
		['above each other', small, 0],
		['side by side', large, large.columns - 1],
	])('on a pane opens its agent, where panes stand %s', (_, size, column) => {
		const screen = board(size);
		const row = screen
			.frame()
			.split('\n')
			.findLastIndex(text => text.includes('2 AGT-002'));
		screen.take({kind: 'click', row, column});
		expect(screen.context().view.place).toMatchObject({at: 'agent', agent: 'AGT-002'});
	});

	test('outside all panes does nothing', () => {
		const screen = board();
		for (const row of [0, small.rows - 1, 400]) {
			screen.take({kind: 'click', row, column: 3});
		}

		expect(screen.context().view.place).toEqual({at: 'board'});
	});

	test('on an item of the inbox opens it, and nowhere decides anything', async () => {
		const screen = openScreen(await whenFirst('questions-and-checkpoints', 'review'));
		screen.press('i');
		const row = screen
			.frame()
			.split('\n')
			.findIndex(text => text.includes('r-1'));
		screen.take({kind: 'click', row, column: 5});
		expect(screen.context().view.place).toMatchObject({at: 'item', item: 'r-1'});
		for (let down = 0; down < small.rows; down++) {
			screen.take({kind: 'click', row: down, column: 3});
		}

		expect(screen.asked()).toEqual([]);
	});
});

describe('in a diff', () => {
	/** Returns where a text is on the screen. */
	const placeOf = (screen: TestScreen, text: string) => {
		const rows = screen.frame().split('\n');
		const row = rows.findIndex(shown => shown.includes(text));
		return {row, column: rows[row]?.indexOf(text) ?? 0};
	};

	test.each([
		['in one column', small, []],
		['with both sides beside each other', {columns: 120, rows: 40}, ['|']],
		['beside a tree', large, ['|']],
	] as const)(
		'a click goes to a line, and a drag selects from there, %s',
		async (_, size, keys) => {
			const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'), {
				size,
			});
			screen.learn({resources: resourcesOf(screen.context(), aDiff)});
			screen.press(...keys, 'end');
			screen.take({kind: 'click', ...placeOf(screen, 'const most = 100;')});
			screen.take({kind: 'drag', ...placeOf(screen, 'const burst = 20;')});
			screen.press('enter');
			expect(screen.frame()).toContain('Your comment on src/limit.js:2–3');
			screen.press('esc');
			screen.take({kind: 'click', ...placeOf(screen, 'const most = 10;')});
			screen.press('C');
			expect(screen.frame()).toContain('Your comment on src/limit.js:2 (before the change)');
			expect(screen.asked()).toEqual([]);
		},
	);
});
