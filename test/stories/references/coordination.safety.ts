import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../../helpers/plan-file.ts';
import {makeProject} from '../../helpers/project.ts';
import {git} from '../../helpers/repository.ts';
import {startSession} from '../../helpers/session.ts';

test('the lifecycle: delegate, checkpoint, two syncs while agents work, and the session is archived', async () => {
	const project = makeProject({
		'readme.md': 'hello\n',
		'.delegate-tui.yaml': 'limits: {stagger: 0s}\n',
	});
	await using session = await startSession(
		{
			agents: [
				agent('checks-in.sh', ['src/one.txt'], {subtask: 'Write one'}),
				agent('edits.sh', ['src/two.txt', 'two'], {subtask: 'Write two'}),
				agent('asks-once.sh', ['src/three.txt'], {subtask: 'Write three'}),
			],
		},
		project,
	);
	const documented = (name: string) => readFileSync(join(project.root, 'docs', name), 'utf8');
	const published = (times: number) =>
		session.until(`${times} merges`, () =>
			session.events('merge.published').length === times ? true : undefined,
		);
	await session.accept('AGT-002');
	expect((await project.run('sync')).stdout).toContain('AGT-002');
	expect((await project.run('sync', 'AGT-002')).code).toBe(0);
	await session.answer(await session.item('approval'), 'approve');
	await published(1);
	await session.answer(await session.item('checkpoint', 'AGT-001'), 'continue');
	await session.accept('AGT-001');
	expect((await project.run('sync', '--all')).code).toBe(0);
	await session.answer(await session.item('approval'), 'approve');
	await published(2);
	await expect
		.poll(() => documented('logs/delegation_registry.md'))
		.toMatch(/AGT-001[\s\S]*MERGED/);
	expect(session.state().agents.map(({state}) => state)).toEqual([
		'MERGED',
		'MERGED',
		'CHECKPOINT',
	]);

	await session.answer(await session.item('question', 'AGT-003'), 'jwt');
	await session.accept('AGT-003');
	await session.approve();
	expect(git(project.root, 'log', '--format=%s', 'main').split('\n')).toHaveLength(4);
	await expect
		.poll(() => documented('logs/delegation_registry.md'))
		.toMatch(/## Archived Sessions[\s\S]*DEL-/);
	await expect.poll(() => documented('01_progress.md').match(/DEL-/g)).toHaveLength(3);
});
