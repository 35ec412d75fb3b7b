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
	test('an edit is told, and nothing is touched, also where other files were brought back', async () => {
		const shuttle = await makeInterrupted();
		const {root, from, before, clear} = shuttle;
		stage(shuttle);
		const tellsEditOf = async (path: string) => {
			const moved = readFileSync(join(root, path));
			write(root, {[path]: 'my own\n'});
			const found = pictureOf(root);
			expect(await clear()).toMatchObject({cause: 'interrupted', paths: [path]});
			expect(pictureOf(root)).toBe(found);
			write(root, {[path]: moved});
		};
		await tellsEditOf('src/1.txt');
		await tellsEditOf('new/file.txt');
		git(root, 'restore', '--source', from, '--worktree', 'src/1.txt');
		await tellsEditOf('new/file.txt');
		expect(await clear()).toBeUndefined();
		expect(pictureOf(root)).toBe(before);
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
