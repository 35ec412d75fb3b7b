import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {script} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {keys, openProgram} from '../helpers/terminal.ts';

test('a session that has ended is played, its report read, its plan begun again and its worktrees removed, from the screen of the next one', async () => {
	const project = makeProject();
	const one = {...agent('edits.sh', ['src/one.txt', 'one']), goal: 'It is there.'};
	const whole = {context: 'A story.', success: ['It is there.'], verify: ['true']};
	const past = await startSession({...whole, agents: [one]}, project);
	await past.accept('AGT-001');
	await past.approve();
	await past.gone();

	const [pager, read] = ['pager', 'read'].map(name => join(project.aside, name)) as [
		string,
		string,
	];
	script(pager, `cat > '${read}'`);
	using screen = openProgram(project, ['run', '--again'], {environment: {PAGER: pager}});
	await screen.until('src/**');
	await screen.typeUntil(keys.escape, '^r run');
	await screen.typeUntil(':', 'Go to or do');
	await screen.typeUntil('replay', `▸ session      replay ${past.id}: Play a story (complete)`);
	await screen.typeUntil(keys.enter, '▶ recording');
	await screen.typeUntil('q', `Session ${past.id} was shown.`);
	expect(screen.text()).toContain('src/**');

	await screen.typeUntil(':report', `▸ session      report ${past.id}`);
	await screen.typeUntil(keys.enter, () => screen.text().includes('was shown.'));
	expect(readFileSync(read, 'utf8')).toContain('## Decisions');

	await screen.typeUntil(':clean', `▸ session      clean ${past.id}`);
	await screen.typeUntil(keys.enter, /Remove what is safe to remove/);
	expect(screen.text().replaceAll('\n', '')).toMatch(
		/worktree of AGT-001 in DEL-\w+ .*: safe to remove/,
	);
	await screen.typeUntil(`y${keys.enter}`, 'Enter leads back.');
	expect(screen.text()).toContain('removed: worktree of AGT-001');
	await screen.typeUntil(keys.enter, `Session ${past.id} was looked through.`);

	await screen.typeUntil(':run again', `▸ session      run again ${past.id}`);
	await screen.typeUntil(keys.enter, 'next field');
	await screen.typeUntil(keys.escape, '^r run');
	await screen.typeUntil('q', 'Nothing was started.');
	await screen.typeUntil(':run again', `▸ session      run again ${past.id}`);
	await screen.typeUntil(keys.enter, 'next field');
	await screen.typeUntil(keys.escape, '^r run');
	await screen.typeUntil('\x12', 'y yes');
	await screen.typeUntil('y', '⏎ r-1');
	screen.type(`${keys.left}q`);
	expect(await screen.exits()).toBe(0);
});
