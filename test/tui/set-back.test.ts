import {expect, test} from 'vitest';
import {checkpoint, working} from '../helpers/given.ts';
import {aDiff, openAt, resourcesOf} from './a-screen.ts';

test('P at a checkpoint shows what a set-back changes, for the choice that the person has gone to', () => {
	const session = working(['AGT-001']);
	session.says('AGT-001', checkpoint('Status: IN_PROGRESS\nProgress: 40%\n\n## Request\nCONTINUE'));
	session.work();
	const screen = openAt('checkpoint', {state: session.state()});
	screen.press('P');
	expect(screen.frame()).toContain('Go to a choice that sets the worktree back');
	screen.press('down', 'down', 'down');
	expect(Object.keys(resourcesOf(screen.context(), aDiff)).join()).toContain('restore:AGT-001:1@');
	screen.learn({resources: resourcesOf(screen.context(), aDiff)});
	expect(screen.frame()).toContain('The worktree of AGT-001 after it is set back to snapshot 1');
	expect(screen.frame()).toContain('const burst = 20;');
	screen.press('esc');
	expect(screen.context().view.place).toMatchObject({at: 'item', shows: 'facts'});
	expect(screen.asked()).toEqual([]);
});
