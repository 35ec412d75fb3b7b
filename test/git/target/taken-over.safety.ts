import {existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {openStore} from '../../../src/git/store/store.ts';
import {folderOf, isBegun} from '../../../src/git/target/begun-move.ts';
import {takeBackMove} from '../../../src/git/target/interrupted/recover.ts';
import {git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeInterrupted, stage} from './interrupted-world.ts';

/** Whether there is a lock of the index. */
const isLocked = (root: string): boolean =>
	lstatSync(join(root, '.git/index.lock'), {throwIfNoEntry: false}) !== undefined;

describe('what a person did to a checkout since a move of it was cut off', () => {
	test('a reset that leaves the index doesn’t leave the result staged', async () => {
		const interrupted = await makeInterrupted();
		const {root, clear, begin, hold, repository} = interrupted;
		write(root, {'src/0.txt': 'another\n'});
		git(root, 'add', 'src/0.txt');
		const other = git(root, 'commit-tree', '-m', 'other', git(root, 'write-tree'));
		git(root, 'reset', '--quiet', '--hard');
		stage(interrupted);
		await begin();
		await hold();
		git(root, 'update-ref', '--no-deref', 'HEAD', other);
		expect(await clear()).toBeUndefined();
		expect(await isBegun(repository)).toBe(false);
		expect(git(root, 'diff', '--cached', '--name-only', interrupted.from)).toBe('');
		expect(git(root, 'diff', '--name-only')).toBe('');
	});

	test('a commit of a path of it leaves all others to be brought back', async () => {
		const interrupted = await makeInterrupted();
		const {root, clear, repository, from, to} = interrupted;
		stage(interrupted);
		const changed = git(root, 'diff', '--name-only', '--diff-filter=M', from, to).split('\n');
		const [path = ''] = changed;
		write(root, {[path]: 'mine\n'});
		expect(await clear()).toMatchObject({paths: [path]});
		expect(await isBegun(repository)).toBe(true);
		git(root, 'commit', '--quiet', '--only', '--message', 'mine', path);
		expect(await clear()).toBeUndefined();
		expect(await isBegun(repository)).toBe(false);
		expect(git(root, 'status', '--porcelain')).toBe('?? untracked.txt');
		expect(git(root, 'diff', '--name-only', from)).toBe(path);
	});

	test('what is told can be brought back as it says', async () => {
		const interrupted = await makeInterrupted();
		const {root, clear, from, to} = interrupted;
		stage(interrupted);
		const [path = ''] = git(root, 'diff', '--name-only', '--diff-filter=M', from, to).split('\n');
		write(root, {[path]: 'mine\n'});
		git(root, 'add', path);
		const left = await clear();
		expect(left?.hint).toContain('git checkout HEAD -- FILE');
		for (const one of left?.paths ?? []) {
			const isThere = git(root, 'ls-tree', 'HEAD', '--', one) !== '';
			git(
				root,
				...(isThere ? ['checkout', '--quiet', 'HEAD', '--', one] : ['rm', '-q', '--cached', one]),
			);
		}

		expect(await clear()).toBeUndefined();
		expect(git(root, 'status', '--porcelain')).toBe('?? untracked.txt');
	});
});

describe('a record of a move', () => {
	test('that says nothing of use is told with what frees it', async () => {
		const {root, clear, begin, hold, repository} = await makeInterrupted();
		const folder = folderOf(repository);
		for (const text of ['', '{}', '[]', '{"target": "../../x"}']) {
			await begin();
			await hold();
			writeFileSync(join(folder, 'move.json'), text);
			const left = await clear();
			expect(left?.message, text).toContain('doesn’t say which move it was');
			expect(left?.hint).toContain(`rm -r ${folder} ${join(root, '.git/index.lock')}`);
			rmSync(folder, {recursive: true});
			rmSync(join(root, '.git/index.lock'));
			expect(await clear(), text).toBeUndefined();
		}
	});

	test('is over where its objects are gone and nothing differs, and else told with what frees it', async () => {
		const interrupted = await makeInterrupted();
		const {root, repository, clear} = interrupted;
		git(root, 'gc', '--quiet', '--prune=now');
		const store = await openStore(join(temporaryFolder(), 'store.git'), repository);
		const left = await takeBackMove(repository, {store});
		expect(left?.message).toContain('the commit that it was to merge is gone');
		expect(left?.hint).toContain(`rm -r ${folderOf(repository)}`);
		expect(isLocked(root)).toBe(false);
		rmSync(join(root, 'untracked.txt'));
		expect(await takeBackMove(repository, {store})).toBeUndefined();
		expect(existsSync(folderOf(repository))).toBe(false);
		expect(await clear()).toBeUndefined();
	});

	test('brings its objects again where only the store has them', async () => {
		const interrupted = await makeInterrupted();
		const {root, clear, to, from} = interrupted;
		const [path = ''] = git(root, 'diff', '--name-only', '--diff-filter=M', from, to).split('\n');
		write(root, {[path]: git(root, 'show', `${to}:${path}`)});
		git(root, 'gc', '--quiet', '--prune=now');
		expect(await clear()).toBeUndefined();
		expect(git(root, 'status', '--porcelain')).toBe('?? untracked.txt');
	});

	test('holds for a repository whose folder was renamed since', async () => {
		const interrupted = await makeInterrupted();
		const {root, hold, to, from} = interrupted;
		const [path = ''] = git(root, 'diff', '--name-only', '--diff-filter=M', from, to).split('\n');
		const old = readFileSync(join(root, path), 'utf8');
		write(root, {[path]: git(root, 'show', `${to}:${path}`)});
		await hold();
		const renamed = `${root}-renamed`;
		renameSync(root, renamed);
		const repository = await openRepository(renamed);
		const store = await openStore(join(temporaryFolder(), 'store.git'), repository);
		expect(await takeBackMove(repository, {store})).toBeUndefined();
		expect(readFileSync(join(renamed, path), 'utf8')).toBe(old);
		expect(isLocked(renamed)).toBe(false);
		expect(await isBegun(repository)).toBe(false);
	});
});
