import {expect, test} from 'vitest';
import {openAt, whenFirst} from './a-screen.ts';

test('Ctrl-C while somebody writes stops that, and says that it leaves the next time', async () => {
	const screen = openAt('question', await whenFirst('questions-and-checkpoints', 'question'));
	screen.press('tab');
	screen.take({kind: 'paste', text: 'neither'});
	screen.press('ctrl+c');
	expect(screen.frame()).not.toContain('stop writing');
	expect(screen.notice()).toBe('^c again leaves.');
	screen.press('tab', 'esc');
	expect(screen.notice()).toBeUndefined();
	screen.press('ctrl+c');
	expect(screen.frame()).toContain('What you wrote for q-1 is not sent. Leave without it?');
	screen.press('ctrl+c');
	expect(screen.effects()).toContainEqual({do: 'leave'});
});

test('who writes a long answer and goes up in it still sees what follows', async () => {
	const screen = openAt('question', await whenFirst('questions-and-checkpoints', 'question'));
	const lines = Array.from({length: 30}, (_, index) => `row ${index}.`);
	screen.take({kind: 'paste', text: lines.join('\n')});
	expect(screen.frame()).toContain('row 29.');
	screen.press(...Array.from({length: 10}, () => 'up'));
	expect(screen.frame()).toContain('row 18.');
	expect(screen.frame()).toContain('row 20.');
});
