import {expect, test} from 'vitest';
import {adding, openAt, openScreen, resourcesOf, whenFirst} from './a-screen.ts';

test('the keys that are searched stay on the screen while the words are written', async () => {
	const screen = openScreen(await whenFirst('questions-and-checkpoints', 'question'));
	screen.press('?', '/');
	screen.type('matrix');
	expect(screen.frame()).toContain('show conflicts between agents');
});

test('who looks at the keys comes back to the same place in a diff', async () => {
	const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'));
	screen.learn({resources: resourcesOf(screen.context(), adding(90))});
	screen.press('pageDown', 'pageDown');
	const before = screen.frame();
	screen.press('?');
	expect(screen.context().view.place.at).toBe('help');
	screen.press('pageDown', 'esc');
	expect(screen.frame()).toBe(before);
	expect(before).not.toMatch(/ 1–\d+ of/);
});
