import {readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {git, write} from '../helpers/repository.ts';
import {shared, startCollision} from './collision.ts';

test('a conflict is resolved by hand, which is refused while markers remain', async () => {
	const {session: started, conflict} = await startCollision();
	await using session = started;
	const {folder = ''} = await session.answer(conflict, 'manual');
	const file = join(folder, 'files', shared);
	expect(readFileSync(file, 'utf8')).toMatch(
		/^<{15} AGT-001\nleft\n\|{15} .*\nbase\n={15}\nright\n>{15} AGT-002\n$/,
	);
	expect(readFileSync(join(folder, 'AGT-002', shared), 'utf8')).toBe('right\n');

	const refused = await session.tryAnswer(conflict, 'done');
	expect(refused.code).toBe(1);
	expect(JSON.parse(refused.stdout).error.message).toBe(`Conflict markers remain in ${shared}.`);

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
	expect(readFileSync(join(folder, 'README.txt'), 'utf8')).toContain(`files/${shared}`);
	const files = join(folder, 'files');
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
