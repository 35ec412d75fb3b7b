import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {makeDeadlyProject, twoFiles} from '../helpers/deadly-project.ts';
import {git, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('a publication whose git and supervisor are killed in the middle is finished by the next command', async () => {
	const {project, root, arm} = makeDeadlyProject();
	await using session = await startSession({agents: [twoFiles]}, project);
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	const before = git(root, 'rev-parse', 'main');
	arm();
	await session.tryAnswer(approval, 'approve');
	await project.run('status');
	const {code} = await session.end();
	expect(code).toBe(0);
	expect(session.events('merge.published')).toHaveLength(1);
	expect(session.events('merge.refused')).toEqual([]);
	expect(git(root, 'rev-parse', 'main^')).toBe(before);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(readFileSync(join(root, 'src/two.txt'), 'utf8')).toBe('merged\n');
	expect(existsSync(join(root, '.git/index.lock'))).toBe(false);
});

test('when a file changed in another way after the kill, it is named and asked about, and nothing of it is lost', async () => {
	const {project, root, arm} = makeDeadlyProject('echo my own > src/one.txt');
	await using session = await startSession({agents: [twoFiles]}, project);
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	arm();
	await session.tryAnswer(approval, 'approve');
	await project.run('status');
	const refused = await session.event('merge.refused');
	expect(refused.message).toMatch(/cut off in the middle.*: src\/one\.txt$/);
	expect(readFileSync(join(root, 'src/one.txt'), 'utf8')).toBe('my own\n');
	const again = await session.item('approval');
	expect(again.title).toContain('src/one.txt');

	write(root, {'src/one.txt': 'base\n'});
	await session.answer(again, 'approve');
	expect((await session.end()).code).toBe(0);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(git(root, 'show', 'main:src/one.txt')).toBe('merged');
});
