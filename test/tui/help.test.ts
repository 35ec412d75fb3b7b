import {expect, test} from 'vitest';
import {openItem, openScreen, resourcesOf, whenFirst} from './a-screen.ts';

const longDiff = [
	'diff --git a/src/a.js b/src/a.js',
	'index 1111111..2222222 100644',
	'--- a/src/a.js',
	'+++ b/src/a.js',
	'@@ -0,0 +1,90 @@',
	...Array.from({length: 90}, (_, index) => `+line ${index}`),
	'',
].join('\n');

test('who looks at the keys comes back to the same place in a diff', async () => {
	const screen = openScreen(await whenFirst('questions-and-checkpoints', 'review'));
	openItem(screen, 'review');
	screen.learn({resources: resourcesOf(screen.context(), longDiff)});
	screen.press('pageDown', 'pageDown');
	const before = screen.frame();
	screen.press('?');
	expect(screen.context().view.place.at).toBe('help');
	screen.press('pageDown', 'esc');
	expect(screen.frame()).toBe(before);
	expect(before).not.toMatch(/ 1–\d+ of/);
});
