import {describe, expect, test} from 'vitest';
import type {Body} from '../../src/events/event.ts';
import {working} from '../helpers/given.ts';
import {
	adding,
	knownOf,
	large,
	openAt,
	openScreen,
	resourcesOf,
	small,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';

const find = (screen: TestScreen, words: string): void => {
	screen.press('/');
	screen.type(words);
	screen.press('enter');
};

/** Returns the row that the person is at of those that hold what they look for. */
const here = (screen: TestScreen): string | undefined => {
	const {find} = screen.context().view;
	return /match \d+ of \d+/.exec(screen.frame())?.[0] ?? (find.row === undefined ? undefined : '');
};

const atReview = async (diff: string) => {
	const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'));
	screen.learn({resources: resourcesOf(screen.context(), diff)});
	return screen;
};

describe('words', () => {
	test('are found in a long diff, one after the other, round its end, and back', async () => {
		const screen = await atReview(adding(300));
		find(screen, 'line 29');
		expect(screen.frame()).toContain('line 29');
		expect(here(screen)).toBe('match 1 of 11');
		screen.press('n');
		expect(screen.frame()).toContain('line 290');
		screen.press(...Array.from({length: 10}, () => 'n'));
		expect(here(screen)).toBe('match 1 of 11');
		screen.press('N');
		expect(here(screen)).toBe('match 11 of 11');
		expect(screen.frame()).toContain('line 299');
	});

	test('are found in either case, unless they are written with a capital', async () => {
		const screen = await atReview(adding(3).replace('line 2', 'LINE 2'));
		find(screen, 'line 2');
		expect(here(screen)).toBe('match 1 of 1');
		find(screen, 'Line 2');
		expect(screen.notice()).toBe('Nothing here holds "Line 2".');
		expect(here(screen)).toBeUndefined();
	});

	test('are taken as they are written, whatever they would mean in a pattern', async () => {
		const screen = await atReview(adding(3).replace('line 1', 'f(.*)[1]'));
		find(screen, '(.*)[');
		expect(here(screen)).toBe('match 1 of 1');
	});

	test('are found again without being written again, also somewhere else', async () => {
		const screen = await atReview(adding(300));
		find(screen, 'line 200');
		screen.press('esc');
		expect(here(screen)).toBeUndefined();
		expect(screen.context().view.place.at).toBe('item');
		screen.press('home', '/', 'enter');
		expect(screen.frame()).toContain('line 200');
	});

	test('make n go on to the next one instead of refusing what waits', async () => {
		const screen = openAt('plan', await whenFirst('questions-and-checkpoints', 'plan'));
		find(screen, 'AGT-00');
		screen.press('n', 'n');
		expect(screen.asked()).toEqual([]);
		expect(screen.context().view.dialog.kind).toBe('none');
		expect(screen.frame()).toContain('match 3 of');
		screen.press('esc', 'n');
		expect(screen.context().view.dialog.kind).toBe('confirm');
	});

	test('are found from the newest on in what grows, which then stands still', async () => {
		const session = working(['AGT-001']);
		const events = session.events();
		const screen = openScreen(knownOf(events));
		screen.press('l');
		find(screen, 'agt-001');
		expect(here(screen)).toMatch(/match (\d+) of \1$/);
	});

	test('lead to the item that holds them in the inbox', async () => {
		const screen = openScreen(await whenFirst('blockers-and-requests', 'scope'));
		screen.press('i');
		find(screen, 'scope');
		expect(screen.frame()).toMatch(/▸ s-1/);
	});

	test('that nobody wrote yet look for nothing', async () => {
		const screen = await atReview(adding(3));
		screen.press('/', 'enter');
		expect(screen.notice()).toBe('There is nothing to search for yet.');
	});
});

describe('a list', () => {
	test('shows only what holds all words, of whatever kind and agent, until Esc', async () => {
		const known = await whenFirst('questions-and-checkpoints', 'review');
		const screen = openScreen(known, {size: large});
		screen.press('l', '&');
		screen.type('agt-002 snapshot');
		screen.press('enter');
		const rows = screen
			.frame()
			.split('\n')
			.filter(row => /^ +\d+ \d\d:/.test(row));
		expect(rows.length).toBeGreaterThan(0);
		expect(rows.filter(row => !/AGT-002.*snapshot/.test(row))).toEqual([]);
		expect(screen.frame()).toContain('Log  with "agt-002 snapshot"');
		screen.press('esc');
		expect(screen.frame()).toContain('session DEL-');
		screen.press('esc');
		expect(screen.context().view.place.at).toBe('board');
	});

	test('keeps its words while somebody decides one thing of it, and opens what it shows', async () => {
		const screen = openScreen(await whenFirst('blockers-and-requests', 'scope'));
		screen.press('i', '&');
		screen.type('scope');
		screen.press('enter', 'enter');
		expect(screen.frame()).toContain(' SCOPE ');
		screen.press('esc');
		expect(screen.frame()).toContain('with "scope"');
	});
});

describe('the log', () => {
	const progress = (agent: string, step: number): Body => ({
		kind: 'signal.said',
		agent,
		turn: 1,
		offset: step,
		signal: {kind: 'progress', line: step, phase: 'Slow', status: `step ${step}/46`},
	});

	test('folds the progress of each agent into its last row, and shows all of it to who looks for it', () => {
		const session = working(['AGT-001', 'AGT-002']);
		for (let step = 1; step <= 46; step++) {
			session.tell(progress('AGT-001', step), progress('AGT-002', step));
		}

		const screen = openScreen(knownOf(session.events()), {size: small});
		screen.press('l');
		const told = () =>
			screen
				.frame()
				.split('\n')
				.filter(row => row.includes('progress: Slow'));
		expect(told()).toHaveLength(2);
		expect(told()[0]).toMatch(/AGT-001 {2}progress: Slow - step 46\/46 {2}and 45 before/);
		screen.press('&');
		screen.type('progress AGT-001');
		screen.press('enter');
		expect(screen.frame()).toContain('of 46');
	});
});
