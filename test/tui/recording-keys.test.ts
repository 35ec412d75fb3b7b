import {expect, test} from 'vitest';
import type {Item} from '../../src/state/item.ts';
import {
	knownAfter,
	knownOf,
	large,
	openAt,
	openItem,
	openScreen,
	recorded,
	replay,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';

const footerOf = (screen: TestScreen): string => screen.frame().trimEnd().split('\n').at(-1) ?? '';

test('a key stands once in the footer of a recording, for what it does there', async () => {
	const screen = openScreen(
		{...knownOf(await recorded('check-fails')), mode: replay},
		{size: large},
	);
	expect(footerOf(screen)).toContain('→ step');
	expect(footerOf(screen)).not.toContain('→ agent');
	expect(footerOf(screen)).not.toContain('undo merge');
});

test('an item of a recording offers no key that decides', async () => {
	const screen = openAt(
		'checkpoint',
		{...(await whenFirst('questions-and-checkpoints', 'checkpoint')), mode: replay},
		{size: large},
	);
	for (const label of ['take it', 'add note', 'snooze it']) {
		expect(footerOf(screen)).not.toContain(label);
	}

	screen.press('tab');
	expect(screen.notice()).toContain('This is a recording');
});

test('the keys of a recording are listed once each, and it does not claim to go on', async () => {
	const screen = openScreen(
		{...knownOf(await recorded('check-fails')), mode: replay},
		{size: large},
	);
	screen.press('?');
	const frame = screen.frame();
	expect(frame).not.toContain('goes on');
	expect(frame).not.toContain('unavailable');
	expect(frame.match(/^ {2}.*\bSpace\b/gm)).toHaveLength(1);
});

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!+/'];

test.each<readonly [string, () => ReturnType<typeof whenFirst>, Item['kind'] | undefined]>([
	['the board', () => whenFirst('questions-and-checkpoints', 'question'), undefined],
	['the board after a merge', async () => knownOf(await recorded('check-fails')), undefined],
	['a checkpoint', () => whenFirst('questions-and-checkpoints', 'checkpoint'), 'checkpoint'],
	['a blocker', () => whenFirst('blockers-and-requests', 'blocker'), 'blocker'],
	['a failure', () => whenFirst('crashes-and-retries', 'failure'), 'failure'],
	['a file by hand', () => knownAfter('conflict-by-hand', 'resolution.opened'), 'conflict'],
	['an approval', () => whenFirst('check-fails', 'approval'), 'approval'],
])('whatever key is pressed at %s, nothing is done', async (_, recording, kind) => {
	const known = await recording();
	for (const key of [...letters, 'tab', 'enter', 'space', 'delete']) {
		const screen = openScreen({...known, mode: replay});
		if (kind !== undefined) {
			openItem(screen, kind);
		}

		screen.press('1', key);
		screen.type('yes');
		screen.press('enter', 'y', 'Y');
		const done = screen.effects().filter(effect => !['play', 'leave'].includes(effect.do));
		expect([key, done]).toEqual([key, []]);
	}
});
