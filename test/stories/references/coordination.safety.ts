import {existsSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../../helpers/plan-file.ts';
import {makeProject} from '../../helpers/project.ts';
import {git, script, temporaryFolder} from '../../helpers/repository.ts';
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

test('what an agent starts or reaches against the rules is refused, and stands at its checkpoint and in its review', async () => {
	const folder = temporaryFolder();
	const canary = join(folder, 'ran');
	for (const name of ['codex', 'gh']) {
		script(join(folder, name), `echo ${name} >> ${canary}`);
	}

	const played = resolve(
		import.meta.dirname,
		'../../../fixtures/agents/references/breaks-rules.sh',
	);
	script(join(folder, 'aider'), `exec ${played}`);
	const env = {PATH: `${folder}:${process.env.PATH}`};
	const aider = {protocol: 'text', command: ['aider'], env} as const;
	await using session = await startSession({
		agents: [{subtask: 'Write one', scope: {allowed: ['src/**']}, agent: aider}],
	});
	const tried = ['codex', 'aider', 'gh', 'git push', 'git fetch'];
	const blocked = new RegExp(`Blocked, out of its scope: ${tried.join('.*')}`);
	const checkpoint = await session.item('checkpoint', 'AGT-001');
	await session.until('a snapshot for it', () => session.events('snapshot.taken').at(0));
	const snapshot = session.events('snapshot.taken')[0]?.seq ?? 0;
	const left = session.events('scope.left').filter(({seq}) => seq < snapshot);
	expect(left.map(({path}) => path)).toEqual(tried);
	expect((await session.project.run('inbox')).stdout).toMatch(blocked);
	await session.answer(checkpoint, 'continue');
	await session.item('review', 'AGT-001');
	expect((await session.project.run('inbox')).stdout).toMatch(blocked);
	expect((await session.project.run('log')).stdout).toContain(
		'was blocked: codex (no agent may start another one; it had no effect)',
	);
	await session.accept('AGT-001');
	await session.approve();
	expect(existsSync(canary)).toBe(false);
	expect(git(session.project.root, 'show', 'main:src/ended.txt')).toBe(
		'codex 126\naider 126\ngh 126\ngit 128\ngit 128',
	);
});
