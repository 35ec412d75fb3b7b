import {describe, expect, test} from 'vitest';
import {emptyState} from '../../src/state/state.ts';
import {supervisorStarted} from '../helpers/happened.ts';
import {having, openScreen, whenFirst} from './a-screen.ts';

const begun = () => whenFirst('questions-and-checkpoints', 'question');

describe('what there is to know of the machine', () => {
	test('is a line on the screen, whose first word is how safe it is', async () => {
		const known = await begun();
		const space = {free: 2 ** 27, total: 2 ** 34, folder: '/state'};
		const disk = {level: 'full' as const, ...space, since: known.state.awake};
		const sandbox = {level: 'processes' as const, why: 'for a test'};
		const frame = openScreen({...known, state: {...known.state, disk, sandbox}}).frame();
		expect(frame).toContain('files not protected');
		expect(frame).toContain('128 MiB left on the disk of /state');
		expect(frame).toContain(known.state.items[0]?.id);
	});

	test('can’t steer the terminal, although an agent chose the words', async () => {
		const known = await begun();
		const command = '\u001b[2Jsleep\u202e\u009b31m 9';
		const survivors = [{pid: 4711, startTime: 'x', command, agent: 'AGT-001'}];
		const frame = openScreen({...known, state: {...known.state, survivors}}).frame();
		expect(frame).toContain('AGT-001 left a process that');
		expect(frame).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
	});

	test('that a restart found is there when the screen is opened, until something is decided', async () => {
		const known = await begun();
		const found = {
			...supervisorStarted({pid: 2}),
			found: {lost: [{agent: 'AGT-001', snapshot: 2}], interrupted: [], ended: []},
		};
		const screen = openScreen({...known, state: having(known.state, found)});
		const words = 'The supervisor ended and was';
		expect(screen.frame()).toContain(words);
		const item = known.state.items[0]?.id ?? '';
		screen.happens({kind: 'user.decided', item, choice: 'snooze', by: 'user'});
		expect(screen.frame()).not.toContain(words);
	});
});

describe('a journal that can’t be read', () => {
	const trouble = 'The journal /state/journal/000001.ndjson is damaged in line 1';
	const nothing = {state: emptyState, now: '2026-01-01T00:00:00.000Z', trouble};

	test('is not taken for a session that starts, or for nothing to decide', () => {
		const screen = openScreen(nothing);
		expect(screen.frame()).toContain('The session can’t be read.');
		expect(screen.frame()).toContain('reading stopped');
		expect(screen.frame()).toContain(trouble.slice(0, 40));
		screen.press('i');
		expect(screen.frame()).toContain('It is not known what waits for you now.');
		expect(screen.frame()).not.toMatch(/nothing waiting|Nothing waits/);
	});
});
