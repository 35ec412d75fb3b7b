import {mkdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {platform} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {makeFolders} from '../../../src/lib/files/folders.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

test('folders are made with those above them, and may be there already', async () => {
	const path = join(temporaryFolder(), 'a/b/c');
	await Promise.all([makeFolders(path, 0o700), makeFolders(path, 0o700)]);
	await makeFolders(path, 0o700);
	expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('a file or a link to nowhere in the way is told', async () => {
	const root = temporaryFolder();
	writeFileSync(join(root, 'file'), '');
	symlinkSync('nowhere', join(root, 'link'));
	mkdirSync(join(root, 'folder'));
	symlinkSync('folder', join(root, 'leads'));
	await expect(makeFolders(join(root, 'file'), 0o700)).rejects.toThrow('EEXIST');
	await expect(makeFolders(join(root, 'file/a/b'), 0o700)).rejects.toThrow('ENOTDIR');
	await expect(makeFolders(join(root, 'link/a'), 0o700)).rejects.toThrow();
	await makeFolders(join(root, 'leads/a'), 0o700);
	expect(statSync(join(root, 'folder/a')).isDirectory()).toBe(true);
});

test.runIf(platform() === 'linux')('a place that takes no folder is told at once', async () => {
	await expect(makeFolders('/proc/nowhere/questions', 0o700)).rejects.toThrow('ENOENT');
});
