import {readFileSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {worktreePath} from '../../src/git/store/worktree-path.ts';
import {agent} from '../helpers/plan-file.ts';
import {git, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {shared, startCollision} from './collision.ts';

test('a conflict is resolved by hand, which is refused while markers remain, and asked about once where nothing does', async () => {
	const {session: started, conflict} = await startCollision();
	await using session = started;
	const {folder = '', files = ''} = await session.answer(conflict, 'manual');
	expect(files).toBe(worktreePath(folder, 'files'));
	const file = join(files, shared);
	expect(readFileSync(file, 'utf8')).toMatch(
		/^<{15} AGT-001\nleft\n\|{15} .*\nbase\n={15}\nright\n>{15} AGT-002\n$/,
	);
	expect(readFileSync(join(folder, 'AGT-002', shared), 'utf8')).toBe('right\n');

	const refused = await session.tryAnswer(conflict, 'done');
	expect(refused.code).toBe(1);
	expect(JSON.parse(refused.stdout).error.message).toBe(`Conflict markers remain in ${shared}.`);

	writeFileSync(file, '');
	const {stderr} = await session.project.run('answer', conflict.id, 'done');
	expect(stderr).toContain(
		`${conflict.id} stays open: ${shared} is empty. Nothing is taken yet: add --anyway to take it anyway.`,
	);
	expect((await session.project.run('inbox')).stdout).toContain(`${shared} is empty. Nothing`);

	writeFileSync(file, 'left and right\n');
	await session.answer(conflict, 'done');
	await session.approve();
	expect(git(session.project.root, 'show', `main:${shared}`)).toBe('left and right');
	expect(git(session.project.root, 'show', 'main:src/left.txt')).toBe('left');
});

test('of the resolution folder only the conflicted file is taken, and no link in its place', async () => {
	const {session: started, conflict} = await startCollision();
	await using session = started;
	const {root} = session.project;
	const before = git(root, 'rev-parse', 'main');
	const {folder = ''} = await session.answer(conflict, 'manual');
	expect(readFileSync(join(folder, 'README.txt'), 'utf8')).toContain(`/${shared}`);
	const files = worktreePath(folder, 'files');
	write(files, {
		[`${shared}.swp`]: 'swap',
		'.claude/settings.json': '{}',
		'docs/logs/today.md': 'log',
		'.git/config': 'config',
	});
	symlinkSync('/etc/passwd', join(files, 'passwd'));

	rmSync(join(files, shared));
	symlinkSync('/etc/passwd', join(files, shared));
	const refused = await session.tryAnswer(conflict, 'done');
	expect(refused.code).toBe(1);
	expect(JSON.parse(refused.stdout).error.message).toContain(`${shared} is a symbolic link`);

	rmSync(join(files, shared));
	writeFileSync(join(files, shared), 'both\n');
	await session.answer(conflict, 'done');
	await session.approve();
	expect(git(root, 'show', `main:${shared}`)).toBe('both');
	expect(git(root, 'diff', '--name-only', before, 'main').split('\n')).toEqual([
		'src/left.txt',
		shared,
	]);
});

test('a file in the place of a folder gets a name of its own by hand, and is seen so before', async () => {
	await using session = await startSession({
		agents: [
			agent('edits.sh', ['src/notes', 'a file']),
			agent('edits.sh', ['src/notes/one.txt', 'one', 'src/notes/two.txt', 'two']),
		],
	});
	await session.accept('AGT-001', 'AGT-002');
	const conflict = await session.item('conflict');
	expect(conflict).toMatchObject({a: ['AGT-001'], b: ['AGT-002']});
	expect(conflict.title).toBe(
		'AGT-001 and AGT-002 collide in src/notes: AGT-001 has a file there, AGT-002 a folder or a link',
	);
	const {folder = ''} = await session.answer(conflict, 'manual');
	const files = join(worktreePath(folder, 'files'), 'src');
	const refused = await session.tryAnswer(conflict, 'done');
	expect(JSON.parse(refused.stdout).error.message).toBe(
		'In the resolution folder src/notes~AGT-001 still has its temporary name.',
	);

	renameSync(join(files, 'notes~AGT-001'), join(files, 'notes.txt'));
	rmSync(join(files, 'notes', 'two.txt'));
	const seen = await session.project.run('answer', conflict.id, 'done', '--preview');
	expect(seen.stdout).toContain('+++ b/src/notes.txt');
	expect(seen.stdout).toContain('+++ b/src/notes/one.txt');
	await session.answer(conflict, 'done');
	await session.approve();
	const {root} = session.project;
	expect(git(root, 'ls-tree', '-r', '--name-only', 'main', 'src/').split('\n')).toEqual(
		expect.arrayContaining(['src/notes.txt', 'src/notes/one.txt']),
	);
	expect(git(root, 'ls-tree', '-r', '--name-only', 'main', 'src/notes/')).toBe('src/notes/one.txt');
	expect(git(root, 'show', 'main:src/notes.txt')).toBe('a file');
});
