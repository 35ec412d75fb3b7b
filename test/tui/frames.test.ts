import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import type {Item} from '../../src/state/item.ts';
import type {Model} from '../../src/tui/model.ts';
import type {Size} from '../../src/tui/size.ts';
import {
	aDiff,
	having,
	large,
	openItem,
	openScreen,
	papersOf,
	small,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';

type Known = Pick<Model, 'state' | 'log' | 'tails'>;

/** A view, as it comes of a recorded session and keys. */
type Case = {
	readonly name: string;
	readonly known: () => Promise<Known>;
	readonly go: (screen: TestScreen) => void;
};

const asking = () => whenFirst('questions-and-checkpoints', 'question');

const at = (name: string, ...keys: readonly string[]): Case => ({
	name,
	known: asking,
	go: screen => screen.press(...keys),
});

const item = (kind: Item['kind'], journal: string): Case => ({
	name: kind,
	known: () => whenFirst(journal, kind),
	go: screen => openItem(screen, kind),
});

/** A recording of it would have to wait for a limit of at least a minute. */
const limit: Case = {
	name: 'limit',
	known: async () => {
		const known = await asking();
		return {
			...known,
			state: having(known.state, {kind: 'deadline.passed', deadline: 'limit:AGT-001:0'}),
		};
	},
	go: screen => openItem(screen, 'limit'),
};

const permission: Case = {
	name: 'permission',
	known: async () => {
		const known = await asking();
		return {
			...known,
			state: having(known.state, {
				kind: 'permission.asked',
				agent: 'AGT-001',
				turn: 1,
				request: 'r1',
				title: 'Run the tests',
				command: 'npm test -- --watch=false',
				paths: [],
			}),
		};
	},
	go: screen => openItem(screen, 'permission'),
};

const cases: readonly Case[] = [
	at('board'),
	at('inbox', 'i'),
	at('agent', 'o'),
	at('log', 'l'),
	at('keys', '?'),
	item('plan', 'questions-and-checkpoints'),
	item('question', 'questions-and-checkpoints'),
	item('checkpoint', 'questions-and-checkpoints'),
	item('review', 'questions-and-checkpoints'),
	item('blocker', 'blockers-and-requests'),
	item('delegation', 'blockers-and-requests'),
	item('scope', 'blockers-and-requests'),
	item('failure', 'crashes-and-retries'),
	item('conflict', 'conflict-by-hand'),
	item('verify', 'check-fails'),
	item('approval', 'check-fails'),
	limit,
	permission,
];

const drawn = async ({known, go}: Case, size: Size): Promise<string> => {
	const screen = openScreen(await known(), {size});
	go(screen);
	screen.learn({papers: papersOf(screen.context(), aDiff)});
	return screen.frame();
};

describe.each([small, large])('on a screen of $columns×$rows', size => {
	test.each(cases)('$name looks as it did when a person last looked at it', async view => {
		const frame = await drawn(view, size);
		const name = `${view.name}-${size.columns}x${size.rows}.txt`;
		await expect(`${frame}\n`).toMatchFileSnapshot(`frames/${name}`);
	});

	test.each(cases)('$name is exactly as large as the screen', async view => {
		const rows = (await drawn(view, size)).split('\n');
		expect(rows).toHaveLength(size.rows);
		expect(rows.filter(row => stringWidth(row) > size.columns)).toEqual([]);
	});
});

test.each([
	{columns: 60, rows: 16},
	{columns: 61, rows: 40},
	{columns: 99, rows: 17},
	{columns: 140, rows: 24},
	{columns: 300, rows: 90},
])('every view fits $columns×$rows', async size => {
	for (const view of cases) {
		const rows = (await drawn(view, size)).split('\n');
		expect([view.name, rows.length]).toEqual([view.name, size.rows]);
		expect([view.name, rows.filter(row => stringWidth(row) > size.columns)]).toEqual([
			view.name,
			[],
		]);
	}
});

test('a screen that is too small says so, and takes no key but the one to leave', async () => {
	const screen = openScreen(await whenFirst('check-fails', 'approval'));
	openItem(screen, 'approval');
	screen.take({kind: 'resize', size: {columns: 59, rows: 15}});
	expect(screen.frame()).toContain('This window is too small.');
	screen.press('y');
	expect(screen.effects()).toEqual([]);
	screen.press('q');
	expect(screen.effects()).toEqual([{do: 'leave'}]);
});
