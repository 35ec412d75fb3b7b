import {readFileSync, readlinkSync} from 'node:fs';
import {platform} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent, writePlan} from '../../helpers/plan-file.ts';
import {configure, projectAt} from '../../helpers/project.ts';
import {git} from '../../helpers/repository.ts';
import {startSession} from '../../helpers/session.ts';
import {madeBy} from './made-by.ts';

test('in a worktree of a worktree, its own branch is merged into, and no other checkout changes', async () => {
	const project = madeBy('linked-worktree.sh');
	const others = ['main', 'first'].map(name => join(project.root, '..', name));
	const standing = () =>
		others.map(other => [git(other, 'status', '--porcelain'), git(other, 'rev-parse', 'HEAD')]);
	const before = standing();
	await using session = await startSession(
		{agents: [agent('edits.sh', ['src/one.txt', 'two'])]},
		project,
	);
	await session.accept('AGT-001');
	await session.approve();
	expect(readFileSync(join(project.root, 'src/one.txt'), 'utf8')).toBe('two\n');
	expect(git(project.root, 'log', '--format=%D', '-1')).toBe('HEAD -> second');
	expect(git(project.root, 'status', '--porcelain')).toBe('');
	expect(standing()).toEqual(before);
});

test('a folder with spaces and an emoji behind a symbolic link is merged into, and taken back', async () => {
	const project = madeBy('emoji-behind-link.sh');
	const path = 'src files/one 🛒.txt';
	const scope = {allowed: ['src files/**']};
	await using session = await startSession(
		{verify: [`grep two '${path}'`], agents: [agent('edits.sh', [path, 'two'], {scope})]},
		project,
	);
	await session.accept('AGT-001');
	await session.approve();
	const read = () => readFileSync(join(project.root, path), 'utf8');
	expect(session.events('verify.ended')).toMatchObject([{ok: true}]);
	expect(read()).toBe('two\n');
	expect((await project.run('undo', '--yes')).code).toBe(0);
	expect(read()).toBe('one\n');
	expect(git(project.root, 'status', '--porcelain')).toBe('');
	expect(readlinkSync(project.root)).toBe('my shop 🛒');
});

test('an agent that rewrites its history and collects garbage loses none of its work, and none of the person’s', async () => {
	const project = madeBy('plain.sh');
	const start = git(project.root, 'rev-parse', 'HEAD');
	await using session = await startSession(
		{agents: [agent('rebases.sh', ['src/one.txt', 'src/two.txt'])]},
		project,
	);
	await session.accept('AGT-001');
	await session.approve();
	expect(git(project.root, 'log', '--format=%P %s', '-1')).toBe(`${start} Play a story`);
	expect(git(project.root, 'diff', '--name-status', start, 'HEAD')).toBe(
		'M\tsrc/one.txt\nA\tsrc/two.txt',
	);
	expect(() => git(project.root, 'fsck', '--strict', '--no-dangling')).not.toThrow();
});

test('a home that can’t be written is named before anything starts, with the setting that goes without it', async () => {
	const {root, aside} = madeBy('plain.sh');
	// Even root writes nothing there.
	const HOME = platform() === 'darwin' ? '/System' : '/sys';
	const project = projectAt(root, {aside, env: {HOME}});
	const plan = {agents: [agent('edits.sh', ['src/one.txt', 'two'])]};
	const refused = await project.run('run', writePlan(project, plan), '--headless', '--yes');
	expect(refused.stderr).toMatch(
		/Cannot write to \/\w+\/\.claude[\s\S]*name a folder that you can write as "home" below "questions"/,
	);
	configure(project, {
		...{docs: false, limits: {stagger: '0s'}},
		questions: {home: join(aside, 'questions')},
	});
	await using session = await startSession(plan, project);
	await session.accept('AGT-001');
	await session.approve();
	expect(readFileSync(join(root, 'src/one.txt'), 'utf8')).toBe('two\n');
});
