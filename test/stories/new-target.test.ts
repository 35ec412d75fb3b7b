import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent, writePlan} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const plan = {target: 'releases/2', agents: [agent('edits.sh', ['src/one.txt', 'one'])]};

const branches = (root: string): string =>
	git(root, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads');

test('a target that is no branch yet is told before agents start, and created by the first merge', async () => {
	const project = makeProject();
	const {root} = project;
	const before = branches(root);
	const tip = git(root, 'rev-parse', 'main');
	const session = await startSession(plan, project);
	expect((await project.run('log', session.id, '--json')).stdout).toContain(
		'The target is no branch yet: the first merge creates it where your checkout is now.',
	);
	await session.accept('AGT-001');
	expect(branches(root)).toBe(before);
	await session.item('approval');
	expect((await project.run('inbox')).stdout).toContain(
		`into releases/2, a new branch at ${tip.slice(0, 10)}`,
	);

	await session.approve();
	await session.gone();
	expect(git(root, 'show', 'releases/2:src/one.txt')).toBe('one');
	expect(git(root, 'rev-parse', 'releases/2^')).toBe(tip);
	expect(git(root, 'rev-parse', 'main')).toBe(tip);
	expect(git(root, 'status', '--porcelain')).toBe('');

	expect(await project.run('undo', '--yes')).toMatchObject({code: 0});
	expect(git(root, 'rev-parse', 'releases/2')).toBe(tip);
	expect(await project.run('undo', '--yes')).toMatchObject({code: 0});
	expect(git(root, 'show', 'releases/2:src/one.txt')).toBe('one');
});

test('a target that git could not create is refused before anything starts', async () => {
	const project = makeProject();
	const {root} = project;
	const start = (target: string) =>
		project.run('run', writePlan(project, {...plan, target}), '--headless', '--yes');
	expect(await start('main/next')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining(
			'There is no branch main/next, and git can’t keep one beside the branch main.',
		),
	});
	expect(await start('a..b')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining(
			'There is no branch a..b, and git takes no branch of this name.',
		),
	});
	expect(await start('main@{0}')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining(
			'There is no branch main@{0}, and git takes no branch of this name.',
		),
	});
	const other = join(project.aside, 'other');
	git(root, 'worktree', 'add', '--quiet', '--detach', other);
	git(other, 'symbolic-ref', 'HEAD', 'refs/heads/empty');
	expect(await start('empty')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('a checkout that has no commit yet is on it'),
	});
	expect(git(root, 'for-each-ref', 'refs/delegate')).toBe('');
});
