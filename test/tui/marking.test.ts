import {describe, expect, test} from 'vitest';
import {unreadInSight} from '../../src/tui/model/unseen.ts';
import {bodyOf} from '../../src/tui/screens/body.ts';
import {
	aDiff,
	adding,
	openAt,
	readThrough,
	resourcesOf,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';

const openReview = async (diff: string): Promise<TestScreen> => {
	const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'), {
		size: {columns: 120, rows: 40},
	});
	screen.learn({resources: resourcesOf(screen.context(), diff)});
	return screen;
};

/** Shows another diff in the place of the one that there was, as after another turn of the agent. */
const becomes = (screen: TestScreen, diff: string): void =>
	screen.learn({resources: resourcesOf(screen.context(), diff)});

const unreadOf = (screen: TestScreen): Readonly<Record<string, number>> =>
	Object.fromEntries(unreadInSight(bodyOf(screen.context()), screen.context().view));

describe('Space in a review', () => {
	test('marks the file in sight as seen, and again takes that back', async () => {
		const screen = await openReview(aDiff + adding(200));
		screen.press('J', 'J', 'J', 'space');
		expect(screen.notice()).toMatch(
			/^src\/a\.js is marked as seen, with 1\d\d lines unread; again takes it back\.$/,
		);
		expect(unreadOf(screen)['src/a.js']).toBe(0);
		screen.press('space');
		expect(screen.notice()).toBe('src/a.js is unread again.');
		expect(unreadOf(screen)['src/a.js']).toBeGreaterThan(100);
	});

	test.each(['constructor', '__proto__', 'toString'])(
		'marks a file of the name %s, too',
		async name => {
			const screen = await openReview(adding(20).replaceAll('src/a.js', name));
			screen.press('J', 'space');
			expect(unreadInSight(bodyOf(screen.context()), screen.context().view).get(name)).toBe(0);
		},
	);

	test('goes to the next file where all of one was seen, however', async () => {
		const screen = await openReview(aDiff + adding(200));
		screen.press('J', 'space');
		expect(screen.frame()).toMatch(/─ src\/new\.js {2}2 of 3 files/);
	});

	test('is enough for the yes to a result', async () => {
		const screen = openAt('approval', await whenFirst('check-fails', 'approval'));
		screen.learn({resources: resourcesOf(screen.context(), adding(300))});
		screen.press('J', 'space', 'y', 'enter');
		expect(screen.asked()).toMatchObject([{choice: 'approve'}]);
	});

	test('scrolls where no file is in sight, as everywhere', async () => {
		const screen = await openReview(aDiff + adding(200));
		screen.press('space');
		expect(bodyOf(screen.context()).offset).toBeGreaterThan(10);
	});
});

describe('what was read', () => {
	test('stays read in another review, by what the lines say', async () => {
		const screen = await openReview(aDiff + adding(90));
		readThrough(screen, aDiff + adding(90));
		becomes(screen, aDiff + adding(90).replace('+line 30\n', '+another line\n'));
		screen.press('home');
		expect(unreadOf(screen)).toEqual({'src/limit.js': 0, 'src/new.js': 0, 'src/a.js': 2});
		screen.press('}');
		expect(screen.frame()).toContain('+ another line');
		screen.press('}');
		expect(screen.notice()).toBe('Each added line that is shown here was on the screen.');
	});

	test('counts for as many equal lines as there were', async () => {
		const twice = (lines: number): string => adding(lines).replaceAll(/^\+line.*$/gm, '+equal');
		const screen = await openReview(twice(20));
		readThrough(screen, twice(20));
		becomes(screen, twice(60));
		screen.press('home');
		expect(unreadOf(screen)['src/a.js']).toBe(40);
	});

	test('stays read as the lines are laid out anew', async () => {
		const screen = await openReview(adding(90));
		readThrough(screen, adding(90));
		screen.press('|', '#');
		screen.take({kind: 'resize', size: {columns: 80, rows: 24}});
		screen.press('home');
		expect(unreadOf(screen)).toEqual({'src/a.js': 0});
	});

	test('in an agent’s review needs not be read again in the result', async () => {
		const screen = openAt('approval', await whenFirst('check-fails', 'approval'));
		readThrough(screen, aDiff);
		screen.press('esc');
		screen.learn({resources: {}});
		screen.press('enter');
		screen.learn({resources: resourcesOf(screen.context(), aDiff)});
		screen.press('y', 'enter');
		expect(screen.asked()).toMatchObject([{choice: 'approve'}]);
	});
});
