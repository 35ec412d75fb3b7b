import {chmodSync, existsSync, statSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {temporaryFolder as makeTemporary, removeFolder} from '../../../src/lib/files/folders.ts';
import {becomeNobody, isRoot} from '../../helpers/become-nobody.ts';
import {filesBelow, temporaryFolder, write} from '../../helpers/repository.ts';

const asRoot = becomeNobody();

test('folders that may not be written, read or entered go with all that is in them', async () => {
	const folder = temporaryFolder();
	const path = join(folder, 'tree');
	write(path, {'a.txt': 'a', 'ro/b.txt': 'b', 'ro/dark/c.txt': 'c', 'half/d.txt': 'd'});
	for (const [name, mode] of Object.entries({'ro/dark': 0, ro: 0o555, half: 0o644, '.': 0o555})) {
		chmodSync(join(path, name), mode);
	}

	await removeFolder(path);
	expect(existsSync(path)).toBe(false);
	await removeFolder(path);
});

test('a temporary folder goes with the folders that a command has closed in it', async () => {
	const names = Array.from({length: 40}, (_, number) => `${number}/inner/a.txt`);
	let path = '';
	{
		await using folder = await makeTemporary(join(temporaryFolder(), 'for-'));
		path = folder.path;
		write(path, Object.fromEntries(names.map(name => [name, 'a'])));
		chmodSync(join(path, '20/inner'), 0o555);
	}

	expect(existsSync(path)).toBe(false);
});

test('a link goes alone', async () => {
	const folder = temporaryFolder();
	const outside = temporaryFolder();
	write(outside, {'a.txt': 'a'});
	chmodSync(outside, 0o555);
	onTestFinished(() => chmodSync(outside, 0o755));
	write(folder, {'tree/b.txt': 'b'});
	symlinkSync(outside, join(folder, 'tree/link'));
	await removeFolder(join(folder, 'tree'));
	expect(existsSync(join(folder, 'tree'))).toBe(false);
	expect(statSync(outside).mode & 0o777).toBe(0o555);
	expect(existsSync(join(outside, 'a.txt'))).toBe(true);
	chmodSync(outside, 0o755);
});

test.skipIf(!isRoot)('a folder that is another user’s is named, and nothing goes', async () => {
	const path = join(temporaryFolder(), 'tree');
	write(path, {'a.txt': 'a', 'b/theirs/x': 'x'});
	const before = filesBelow(path);
	await asRoot(`chown 0 '${path}/b/theirs'`);
	await expect(removeFolder(path)).rejects.toMatchObject({
		kind: 'refused',
		message: `${path} was not removed: there is no right to change the folder ${path}/b/theirs in it.`,
	});
	expect(filesBelow(path)).toEqual(before);
	await asRoot(`chown 65534 '${path}/b/theirs'`);
});
