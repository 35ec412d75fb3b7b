import {expect, test} from 'vitest';
import {
	knownOf,
	large,
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
	expect(footerOf(screen)).toContain('↓ agent');
	expect(footerOf(screen)).not.toContain('→ agent');
	expect(footerOf(screen)).not.toContain('undo merge');
});

test('an item of a recording offers no key that decides', async () => {
	const screen = openScreen(
		{...(await whenFirst('questions-and-checkpoints', 'checkpoint')), mode: replay},
		{size: large},
	);
	openItem(screen, 'checkpoint');
	for (const label of ['take it', 'add note', 'later']) {
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
