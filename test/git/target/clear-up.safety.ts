import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {pictureOf} from '../../helpers/kill-points.ts';
import {git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeInterrupted, stage} from './interrupted-world.ts';

describe('what a publication left that was cut off goes back', () => {
	test('where the branch is another one by a symbolic ref', async () => {
		const shuttle = await makeInterrupted();
		stage(shuttle);
		git(shuttle.root, 'branch', '--move', 'main', 'trunk');
		git(shuttle.root, 'symbolic-ref', 'refs/heads/main', 'refs/heads/trunk');
		expect(await shuttle.clear()).toBeUndefined();
		expect(git(shuttle.root, 'status', '--porcelain', '--untracked-files=no')).toBe('');
	});

	test('but not where the branch has arrived', async () => {
		const shuttle = await makeInterrupted();
		stage(shuttle);
		git(shuttle.root, 'update-ref', 'refs/heads/main', shuttle.to);
		const arrived = pictureOf(shuttle.root);
		expect(await shuttle.clear()).toBeUndefined();
		expect(pictureOf(shuttle.root)).toBe(arrived);
	});
});

describe('what somebody did since then is theirs', () => {
	test.each(['src/1.txt', 'new/file.txt'])(
		'an edit of %s is told, and nothing is touched',
		async path => {
			const shuttle = await makeInterrupted();
			stage(shuttle);
			write(shuttle.root, {[path]: 'my own\n'});
			const found = pictureOf(shuttle.root);
			expect(await shuttle.clear()).toMatchObject({cause: 'interrupted', paths: [path]});
			expect(pictureOf(shuttle.root)).toBe(found);
		},
	);

	test('an edit is told, and nothing is touched, where other files were brought back', async () => {
		const shuttle = await makeInterrupted();
		stage(shuttle);
		git(shuttle.root, 'restore', '--source', shuttle.from, '--worktree', 'src/1.txt');
		write(shuttle.root, {'new/file.txt': 'my own\n'});
		const found = pictureOf(shuttle.root);
		expect(await shuttle.clear()).toMatchObject({cause: 'interrupted', paths: ['new/file.txt']});
		expect(pictureOf(shuttle.root)).toBe(found);
		write(shuttle.root, {'new/file.txt': 'new\n'});
		expect(await shuttle.clear()).toBeUndefined();
		expect(pictureOf(shuttle.root)).toBe(shuttle.before);
	});

	test('a checkout that was switched to another branch goes back there', async () => {
		const shuttle = await makeInterrupted();
		stage(shuttle);
		git(shuttle.root, 'branch', 'other');
		git(shuttle.root, 'switch', '--quiet', 'other');
		expect(await shuttle.clear()).toBeUndefined();
		expect(git(shuttle.root, 'status', '--porcelain', '--branch')).toBe(
			'## other\n?? untracked.txt',
		);
	});

	test('a branch that was checked out in a second folder as well changes nothing there', async () => {
		const shuttle = await makeInterrupted();
		stage(shuttle);
		const second = join(temporaryFolder(), 'second');
		git(shuttle.root, 'worktree', 'add', '--quiet', '--force', second, 'main');
		expect(await shuttle.clear()).toBeUndefined();
		expect(git(second, 'status', '--porcelain')).toBe('');
		git(shuttle.root, 'worktree', 'remove', '--force', second);
		expect(pictureOf(shuttle.root)).toBe(shuttle.before);
	});

	test('a commit of what was staged stays', async () => {
		const shuttle = await makeInterrupted();
		stage(shuttle);
		git(shuttle.root, 'commit', '--quiet', '--message', 'mine');
		const found = pictureOf(shuttle.root);
		expect(await shuttle.clear()).toBeUndefined();
		expect(pictureOf(shuttle.root)).toBe(found);
	});

	test('an edit of a file that the merge leaves alone is kept', async () => {
		const shuttle = await makeInterrupted();
		stage(shuttle);
		write(shuttle.root, {'.gitignore': '.env\nmine\n'});
		expect(await shuttle.clear()).toBeUndefined();
		expect(readFileSync(join(shuttle.root, '.gitignore'), 'utf8')).toBe('.env\nmine\n');
		expect(git(shuttle.root, 'diff', '--cached', '--name-only')).toBe('');
		expect(git(shuttle.root, 'diff', '--name-only')).toBe('.gitignore');
	});
});
