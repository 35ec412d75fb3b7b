import {type FileHandle, mkdir, open, rename, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {rootOf, withWorktree} from '../../../src/git/worktree/open-worktree.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const nothing = async () => {};

test('what is no folder, or leads to one, is refused; what can’t be looked at is told as it is', async () => {
	const folder = temporaryFolder();
	await mkdir(join(folder, 'tree'));
	await symlink('tree', join(folder, 'link'));
	expect(await withWorktree(join(folder, 'tree'), async () => 'looked')).toBe('looked');
	for (const name of ['link', 'gone']) {
		await expect(withWorktree(join(folder, name), nothing)).rejects.toMatchObject({
			kind: 'refused',
			message: `The worktree ${join(folder, name)} is not a folder any more.`,
		});
	}

	await expect(withWorktree(join(folder, 'long'.repeat(100)), nothing)).rejects.toMatchObject({
		code: 'ENAMETOOLONG',
	});
});

test('a folder that was put elsewhere meanwhile is refused afterwards', async () => {
	const tree = join(temporaryFolder(), 'tree');
	await mkdir(tree);
	await expect(
		withWorktree(tree, async () => {
			await rename(tree, `${tree}.away`);
			await mkdir(tree);
		}),
	).rejects.toMatchObject({kind: 'refused'});
});

test('an open folder that the system has no path for goes by its own', async () => {
	const tree = temporaryFolder();
	const folder = await open(tree);
	try {
		const unnamed: FileHandle = Object.create(folder, {
			fd: {value: 2 ** 20},
			stat: {value: (options: object) => folder.stat(options)},
		});
		expect(await rootOf(unnamed, tree)).toBe(tree);
	} finally {
		await folder.close();
	}
});
