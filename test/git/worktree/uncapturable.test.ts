import {mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findSpecialFiles, lookAtSubmodules} from '../../../src/git/worktree/snapshot/raw-bytes.ts';
import {temporaryFolder, write} from '../../helpers/repository.ts';

const place = (workTree: string) => ({gitDir: workTree, workTree});

test('a folder that went away meanwhile holds nothing', async () => {
	const root = temporaryFolder();
	write(root, {file: 'a file now\n'});
	expect(await findSpecialFiles(place(root), ['gone', 'file'])).toEqual([]);
});

test('a folder that can’t be read for another reason is a failure, not an empty one', async () => {
	const root = temporaryFolder();
	symlinkSync('loop', join(root, 'loop'));
	await expect(findSpecialFiles(place(root), ['loop'])).rejects.toMatchObject({code: 'ELOOP'});
	await expect(lookAtSubmodules(root, [`${'long'.repeat(100)}`])).rejects.toMatchObject({
		code: 'ENAMETOOLONG',
	});
});

test('submodules are told apart by what lies in their place', async () => {
	const root = temporaryFolder();
	write(root, {'used/a.txt': 'a\n', replaced: 'a file\n'});
	mkdirSync(join(root, 'empty'));
	expect(await lookAtSubmodules(root, ['used', 'empty', 'replaced', 'gone'])).toEqual({
		used: ['used'],
		replaced: ['replaced', 'gone'],
	});
});
