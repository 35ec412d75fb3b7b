import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('of three agents two pairs collide, one is settled by a side and one by hand, and the tree is right to the byte', async () => {
	const before = {'src/one.txt': 'one\n', 'src/two.txt': 'two\n', 'kept.txt': 'kept\n'};
	await using session = await startSession(
		{
			agents: [
				agent('edits.sh', ['src/one.txt', 'first of one', 'src/a.txt', 'a']),
				agent('edits.sh', ['src/one.txt', 'second of one', 'src/two.txt', 'second of two']),
				agent('edits.sh', ['src/two.txt', 'third of two', 'src/c.txt', 'c']),
			],
		},
		before,
	);
	const {project} = session;
	await session.accept('AGT-001', 'AGT-002', 'AGT-003');
	await session.event('merge.blocked');
	const about = (path: string) =>
		session.until(`the conflict in ${path}`, () =>
			session.state().items.find(item => item.kind === 'conflict' && item.path === path),
		);
	const one = await about('src/one.txt');
	await project.run('answer', one.id, 'choose-one:AGT-002');
	const two = await about('src/two.txt');
	await project.run('answer', two.id, 'manual');
	const {folder, files} = await session.event('resolution.opened');
	write(folder, {[`${files}/src/two.txt`]: 'both of two\r\nwithout an end'});
	await project.run('answer', two.id, 'done');
	await session.approve();
	const expected = {
		'kept.txt': 'kept\n',
		'src/a.txt': 'a\n',
		'src/c.txt': 'c\n',
		'src/one.txt': 'second of one\n',
		'src/two.txt': 'both of two\r\nwithout an end',
	};
	const paths = git(project.root, 'ls-tree', '-r', '--name-only', 'main').split('\n');
	const written = Object.fromEntries(
		paths.map(path => [path, readFileSync(join(project.root, path), 'utf8')]),
	);
	expect(written).toMatchObject(expected);
	expect(paths.filter(path => path.startsWith('src/'))).toEqual(
		Object.keys(expected).filter(path => path.startsWith('src/')),
	);
	expect(git(project.root, 'status', '--porcelain', '--untracked-files=no')).toBe('');
});
