import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('what a blocked agent needs is run in its worktree, and it goes on where it stood', async () => {
	await using session = await startSession({agents: [agent('needs-install.sh', ['src/told.txt'])]});
	const {project, folder} = session;
	const {id} = await session.item('blocker', 'AGT-001');
	await session.agent('AGT-001', 'CHECKPOINT');

	const failed = await project.run('answer', id, 'run', '--note', 'echo no network; exit 3');
	expect(failed).toMatchObject({code: 1, stdout: expect.stringContaining('no network')});
	expect(failed.stderr).toContain(`failed with exit code 3; ${id} is still open`);
	const {stdout} = await project.run('inbox', '--json');
	expect(JSON.parse(stdout).items).toMatchObject([
		{
			id,
			command: {phase: 'failed', code: 3, tail: ['no network']},
			proposed_command: 'touch installed.txt',
		},
	]);

	const done = await project.run(
		'answer',
		id,
		'run',
		'--note',
		'echo fetching; touch installed.txt',
	);
	expect(done).toMatchObject({code: 0, stdout: expect.stringContaining('fetching')});
	const ended = await session.event('command.ended', ({code}) => code === 0);
	expect(readFileSync(join(folder.path, ended.log), 'utf8')).toBe(
		'$ echo fetching; touch installed.txt\nfetching\n',
	);
	await session.accept('AGT-001');
	await session.approve();
	const told = git(project.root, 'show', 'main:src/told.txt');
	expect(told).toMatch(
		/^BLOCKER RESOLVED Issue: installed.txt is missing Resolution: the person had `echo fetching; touch installed.txt` run in your worktree; exit code 0 Its output ended: fetching\n/,
	);
	expect(told).toContain('Completed: A, B, C\nFiles: none changed yet; missing: src/none.ts\n');
	expect(git(project.root, 'ls-tree', '--name-only', 'main')).not.toContain('installed.txt');
	expect(told).toContain('Next task: Task D\n');
	expect(told).toContain('then proceed to Task E');
});

test('a command that a person ends leaves the blocker as it was', async () => {
	await using session = await startSession({agents: [agent('needs-install.sh', ['src/told.txt'])]});
	const {project} = session;
	const blocker = await session.item('blocker', 'AGT-001');
	const running = project.start('answer', blocker.id, 'run', '--note', 'echo begun; sleep 600');
	expect(await running.firstLine).toBe(`${blocker.id}: run`);
	await session.answer(blocker, 'cancel');
	const {code, stderr} = await running.ended;
	expect({code, stderr}).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('it was cancelled'),
	});
	expect(session.state().items).toMatchObject([{command: {phase: 'cancelled'}}]);
	await session.answer(blocker, 'abort');
	await session.end();
});
