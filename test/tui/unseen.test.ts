import {describe, expect, test} from 'vitest';
import type {State} from '../../src/state/state.ts';
import {unreadInSight, unreadRows} from '../../src/tui/model/unseen.ts';
import {bodyOf} from '../../src/tui/screens/body.ts';
import {
	aDiff,
	adding,
	large,
	listed,
	openAt,
	readThrough,
	resourcesOf,
	shownAs,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';

const question = (screen: TestScreen): string | undefined => {
	const {dialog} = screen.context().view;
	return dialog.kind === 'confirm' ? dialog.question : undefined;
};

const atApproval = async (change: (state: State) => State = state => state) => {
	const known = await whenFirst('check-fails', 'approval');
	return openAt('approval', {...known, state: change(known.state)});
};

const learn = (screen: TestScreen, diff: string): void =>
	screen.learn({resources: resourcesOf(screen.context(), diff)});

describe('the yes to a result', () => {
	test('is asked again for the added lines that were never on the screen, by another key', async () => {
		const screen = await atApproval();
		learn(screen, adding(300));
		screen.press('end', 'y', 'y');
		expect(question(screen)).toMatch(/^2\d\d added lines were not on the screen\. Merge it/);
		screen.press('enter');
		expect(screen.notice()).toBe('Enter answers nothing here: Y is yes, with that; n is no.');
		expect(screen.asked()).toEqual([]);
		screen.press('n');
		expect(screen.notice()).toBe('} goes to the next unread line.');
		screen.press('y', 'y', 'Y');
		expect(screen.asked()).toMatchObject([{choice: 'approve'}]);
	});

	test('is enough once all of them have been, in whatever order', async () => {
		const screen = await atApproval();
		learn(screen, adding(60));
		screen.press('end', ...Array.from({length: 30}, () => 'pageUp'), 'y', 'enter');
		expect(screen.asked()).toMatchObject([{choice: 'approve'}]);
	});

	test('counts a long line as seen only with its end', async () => {
		const screen = await atApproval();
		const long = adding(2).replace('line 1', `${' '.repeat(1900)}evil();`);
		learn(screen, long);
		for (let rows = 0; !screen.frame().includes('+ line 0'); rows++) {
			screen.press('j');
			expect(rows).toBeLessThan(100);
		}

		screen.press('y');
		expect(question(screen)).toContain('1 added line was not on the screen.');
		screen.press('n');
		readThrough(screen, long);
		screen.press('y', 'enter');
		expect(screen.asked()).toMatchObject([{choice: 'approve'}]);
	});

	test('is asked again where its check failed, and the screen goes on saying so', async () => {
		const screen = await atApproval(({merge, ...state}) => ({
			...state,
			merge:
				merge.phase === 'verified' ? {...merge, verified: {...merge.verified, ok: false}} : merge,
		}));
		readThrough(screen, aDiff);
		expect(screen.frame()).toContain('check FAILED');
		screen.press('y');
		expect(question(screen)).toBe('Its check FAILED. Merge it with that?');
		screen.press('Y');
		expect(screen.asked()).toMatchObject([{choice: 'approve'}]);
		const {state} = screen.context().model;
		const {merge} = state;
		if (merge.phase !== 'verified') {
			throw new Error('It was verified before.');
		}

		const {built, verified} = merge;
		const last = {from: built.tip, to: built.commit};
		const merged = {phase: 'standing', built, verified, last} as const;
		screen.learn({state: {...state, merge: {phase: 'none'}, publications: [merged]}});
		expect(screen.frame()).toContain('check FAILED');
	});

	test('is asked again while the diff has not come', async () => {
		const screen = await atApproval();
		screen.press('y');
		expect(question(screen)).toBe('Its diff was not on the screen. Merge it with that?');
	});

	test('is asked again for what no scrolling leads to', async () => {
		const screen = await atApproval();
		readThrough(screen, 'diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n');
		screen.press('y');
		expect(question(screen)).toBe('Not shown, since it is not text: x. Merge it with that?');
		screen.press('n');
		const {resources} = screen.context().model;
		screen.learn({
			resources: Object.fromEntries(
				Object.entries(resources).map(([key, resource]) => [
					key,
					resource.phase === 'ready' && !key.startsWith('files:')
						? {...resource, total: resource.lines.length + 7, cut: 2}
						: resource,
				]),
			),
		});
		screen.press('y');
		expect(question(screen)).toMatch(
			/^Not shown, .*: x\. 7 lines can’t be shown here\. Of 2 lines only the beginning/,
		);
	});

	test('is asked again for files that its diff leaves out, by name', async () => {
		const screen = await atApproval();
		readThrough(screen, aDiff);
		const left = [listed('src/long.json', {added: 21_000, shown: false})];
		screen.learn({resources: resourcesOf(screen.context(), aDiff, left)});
		screen.press('y');
		expect(question(screen)).toBe(
			'Too long to be shown on the screen: src/long.json (+21000 −0). Merge it with that?',
		);
	});

	test.each([
		['has not come', {phase: 'loading'}],
		['is not all there', {phase: 'ready', lines: [], total: 1}],
	] as const)('is asked again where the list of its files %s', async (_, list) => {
		const screen = await atApproval();
		readThrough(screen, aDiff);
		const {resources} = screen.context().model;
		screen.learn({
			resources: Object.fromEntries(
				Object.entries(resources).map(([key, one]) => [key, key.startsWith('files:') ? list : one]),
			),
		});
		screen.press('y');
		expect(question(screen)).toBe(
			'The list of changed files was not on the screen. Merge it with that?',
		);
	});

	test('says what a file holds that is no text, beside its name in the diff, too', async () => {
		const screen = await atApproval();
		const diff = 'diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n';
		screen.learn({resources: resourcesOf(screen.context(), diff)});
		const holds = ['PNG 32×32, 1.2 KiB', 'PNG 64×64, 3.0 KiB'] as const;
		const list = shownAs(JSON.stringify(listed('x', {added: null, removed: null, holds})));
		const {resources} = screen.context().model;
		screen.learn({
			resources: Object.fromEntries(
				Object.entries(resources).map(([key, one]) => [key, key.startsWith('files:') ? list : one]),
			),
		});
		screen.press('end');
		expect(screen.frame()).toContain('x  PNG 32×32, 1.2 KiB → PNG 64×64, 3.0 KiB  not text');
	});

	test('is enough, too, where the diff was laid out anew after all of it was read', async () => {
		const screen = await atApproval();
		readThrough(screen, adding(100));
		screen.take({kind: 'resize', size: {columns: 90, rows: 24}});
		screen.press('y', 'enter');
		expect(screen.asked()).toMatchObject([{choice: 'approve'}]);
	});
});

test('work under review is accepted at once only where its added lines were on the screen', async () => {
	const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'), {
		size: large,
	});
	learn(screen, adding(200));
	screen.press('m');
	expect(question(screen)).toMatch(/added lines were not on the screen\. Accept it anyway\?$/);
	screen.press('n');
	readThrough(screen, adding(200));
	screen.press('m', 'enter');
	expect(screen.asked()).toMatchObject([{choice: 'merge'}]);
});

test('no line is read while a question covers a low screen', async () => {
	const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'), {
		size: {columns: 80, rows: 15},
	});
	learn(screen, adding(200));
	screen.press('end', 'm');
	const {read} = screen.context().view;
	expect(read.get('src/a.js')?.size).toBe(6);
	expect(screen.frame()).not.toContain('+ line');
	screen.press('n');
	expect(screen.context().view.read).toEqual(read);
});

test('the lines counted as unread are those that the next key leads to, however a person went through them', async () => {
	const screen = await atApproval();
	learn(screen, [adding(90), adding(70).replaceAll('src/a.js', 'src/b.js')].join(''));
	const keys = ['pageDown', 'end', 'k', 'k', 'pageUp', 'home', 'j', '}', '}', 'pageUp', 'J', 'k'];
	for (const key of keys) {
		screen.press(key);
		const context = screen.context();
		const body = bodyOf(context);
		const counts = [...unreadInSight(body, context.view).values()];
		const rows = unreadRows(context.view, body);
		expect(counts).toHaveLength(2);
		expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rows.length);
		expect(rows.length).toBeGreaterThan(0);
	}
});
