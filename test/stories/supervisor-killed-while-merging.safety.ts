import {execFileSync} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('a check that was cut off when the supervisor was killed is run again', async () => {
	const project = makeProject();
	const [begun, running] = [join(project.aside, 'begun'), join(project.aside, 'running')];
	execFileSync('mkfifo', [running]);
	await using session = await startSession(
		{
			agents: [agent('edits.sh', ['src/one.txt', 'one'])],
			verify: [`test -e ${begun} || { touch ${begun}; echo > ${running}; exec sleep 600; }`],
		},
		project,
	);
	await session.accept('AGT-001');
	// Reading the pipe settles when the check has opened it.
	await readFile(running);
	await session.killSupervisor();
	expect((await project.run('inbox', '--json')).code).toBe(0);
	await session.approve();
	expect(session.events('verify.ended').map(({ok}) => ok)).toEqual([true]);
	expect(git(project.root, 'show', 'main:src/one.txt')).toBe('one');
});

test('an approved result is published once, although the supervisor was killed over it', async () => {
	// A kill from outside may come when all is done.
	const project = projectAt(makeProject().root, {
		env: {DELEGATE_TUI_FAILPOINT: 'after:merge.intended:1'},
	});
	await using session = await startSession(
		{agents: [agent('edits.sh', ['src/one.txt', 'one'])]},
		project,
	);
	const before = git(project.root, 'rev-parse', 'main');
	await session.accept('AGT-001');
	await session.tryAnswer(await session.item('approval'), 'approve');
	await project.run('status');
	const {code, ended} = await session.end();
	expect([code, ended.status]).toEqual([0, 'COMPLETE']);
	expect(session.events('supervisor.started')).toHaveLength(2);
	expect(session.events('merge.published')).toHaveLength(1);
	expect(git(project.root, 'rev-parse', 'main^')).toBe(before);
	expect(git(project.root, 'status', '--porcelain')).toBe('');
});
