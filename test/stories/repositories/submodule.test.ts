import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../../helpers/plan-file.ts';
import {git} from '../../helpers/repository.ts';
import {startSession} from '../../helpers/session.ts';
import {madeBy} from './made-by.ts';

const read = 'cat vendor/lib/lib.txt vendor/lib/inner/inner.txt';

test('submodules are there in setup, for the agent and in the check, and what changes inside one is told', async () => {
	const project = madeBy('submodule.sh');
	const before = git(project.root, 'status', '--porcelain');
	await using session = await startSession(
		{
			setup: [read],
			verify: [read],
			agents: [
				agent('edits.sh', ['src/one.txt', 'two', 'vendor/lib/inner/inner.txt', 'changed'], {
					scope: {allowed: ['**']},
				}),
			],
		},
		project,
	);
	const {warnings} = await session.event('session.started');
	expect(warnings.join('\n')).toContain(
		'your checkout lacks the submodule vendor/absent: agents find an empty folder there',
	);
	await session.item('review', 'AGT-001');
	const {tree, setupLog} = session.folder.agent('AGT-001');
	expect(readFileSync(setupLog, 'utf8')).toContain('shared\ndeep\n');
	expect(readFileSync(join(tree, 'vendor/lib/lib.txt'), 'utf8')).toBe('shared\n');
	expect(session.events('snapshot.taken').at(-1)).toMatchObject({
		files: 1,
		missed: [{path: 'vendor/lib/inner/inner.txt', why: 'submodule'}],
	});
	await session.accept('AGT-001');
	await session.item('approval');
	expect((await project.run('inbox')).stdout).toContain(
		'vendor/lib/inner/inner.txt is not in its work',
	);
	await session.approve();
	expect(session.events('verify.ended')).toMatchObject([{ok: true}]);
	expect(git(project.root, 'status', '--porcelain')).toBe(before);
	expect(git(project.root, 'show', '--stat', '--format=', 'HEAD')).not.toContain('vendor');
});

test('a submodule that has its git dir inside is there as well, and nothing of it is said to be missing', async () => {
	const project = madeBy('old-submodule.sh');
	const before = git(project.root, 'status', '--porcelain');
	await using session = await startSession(
		{
			setup: ['cat vendor/lib/lib.txt'],
			agents: [
				agent('edits.sh', ['src/one.txt', 'two', 'vendor/lib/lib.txt', 'changed'], {
					scope: {allowed: ['**']},
				}),
			],
		},
		project,
	);
	const {warnings} = await session.event('session.started');
	expect(warnings.join('\n')).not.toContain('your checkout lacks');
	await session.item('review', 'AGT-001');
	expect(readFileSync(session.folder.agent('AGT-001').setupLog, 'utf8')).toContain('shared\n');
	expect(session.events('snapshot.taken').at(-1)).toMatchObject({
		missed: [{path: 'vendor/lib/lib.txt', why: 'submodule'}],
	});
	await session.accept('AGT-001');
	await session.approve();
	expect(git(project.root, 'status', '--porcelain')).toBe(before);
});
