import {expect, test} from 'vitest';
import {saying, stopWork, working} from '../helpers/given.ts';
import {openAt, openScreen, whenFirst} from './a-screen.ts';

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

test.each([
	['a command for it', 'b-1', ['x']],
	['the profile that it is to start over with', 'AGT-001', ['A']],
])('a screen with %s that is not sent is not left without a question', (_, id, keys) => {
	const session = id === 'b-1' ? saying(stopWork) : working(['AGT-001']);
	session.work();
	const known = {state: session.state()};
	const screen = id === 'b-1' ? openAt('blocker', known) : openScreen(known);
	screen.press(...keys);
	screen.type('codex');
	screen.press('esc', 'q');
	expect(screen.frame()).toContain(`What you wrote for ${id} is not sent.`);
	expect(screen.effects()).toEqual([]);
});

test('a command that is proposed and not changed is no text that the person wrote', () => {
	const session = saying(
		'[STOP_WORK]\ndetails: No database.\nresume_requirements: "Run `npm run db`"\n[/STOP_WORK]\n',
	);
	session.work();
	const screen = openAt('blocker', {state: session.state()});
	screen.press('x');
	expect(screen.frame()).toContain('npm run db');
	screen.press('esc', 'q');
	expect(screen.effects()).toEqual([{do: 'leave'}]);
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
