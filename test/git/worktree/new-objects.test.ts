import {expect, test} from 'vitest';
import type {Store} from '../../../src/git/store/store.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

/** Returns how many objects of a store lie alone, how many packs there are, and what git has to say against them. */
const storeOf = ({gitDir}: Store) => {
	const counts = git(gitDir, 'count-objects', '-v');
	const of = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(counts)?.[1]);
	const complaints = git(gitDir, 'fsck', '--full', '--no-dangling', '--no-progress');
	return {alone: of('count'), packs: of('packs'), complaints};
};

test('a snapshot of many files in many folders leaves one pack of the files and one of the folders', async () => {
	const world = await makeWorld();
	const before = storeOf(world.store);
	const files = Object.fromEntries(
		Array.from({length: 120}, (_, number) => [`folder-${number}/file.txt`, `text ${number}\n`]),
	);
	write(world.tree, files);
	const {tree, skipped} = await world.snapshot();
	expect(skipped).toEqual([]);
	const after = storeOf(world.store);
	expect(after).toEqual({alone: before.alone + 1, packs: before.packs + 2, complaints: ''});
	for (const [path, text] of Object.entries(files)) {
		expect(`${git(world.store.gitDir, 'show', `${tree}:${path}`)}\n`).toBe(text);
	}

	write(world.tree, {'folder-7/file.txt': 'again\n'});
	const next = await world.snapshot();
	expect(git(world.store.gitDir, 'show', `${next.tree}:folder-7/file.txt`)).toBe('again');
	expect(storeOf(world.store).packs).toBe(after.packs);
});

test('a snapshot of 31 files leaves them one by one, one of 32 in a pack, and eight folders in another', async () => {
	const world = await makeWorld();
	const before = storeOf(world.store);
	const snapshotOf = async (amount: number, folders: number) => {
		for (let number = 0; number < amount; number += 1) {
			const text = `text ${number} of ${amount} in ${folders}\n`;
			write(world.tree, {[`in-${folders}/${number % folders}/${number}.txt`]: text});
		}

		await world.snapshot();
		return storeOf(world.store);
	};

	// Beside the files: their folders with both above, and the commit.
	const [few, many, manyFolders] = [before.alone + 35, before.alone + 45, before.alone + 46];
	expect(await snapshotOf(31, 1)).toEqual({...before, alone: few});
	expect(await snapshotOf(32, 7)).toEqual({...before, alone: many, packs: before.packs + 1});
	expect(await snapshotOf(32, 8)).toEqual({...before, alone: manyFolders, packs: before.packs + 3});
});

test('a snapshot of many files that git converts leaves one pack of them and their folders', async () => {
	const world = await makeWorld();
	const before = storeOf(world.store);
	write(world.tree, {'.gitattributes': '* text eol=lf\n*.bin -text\n', 'folder/a.bin': 'a\r\n'});
	for (let number = 0; number < 40; number += 1) {
		write(world.tree, {[`folder/${number}.txt`]: `text ${number}\n`});
	}

	const {tree} = await world.snapshot();
	expect(git(world.store.gitDir, 'show', `${tree}:folder/7.txt`)).toBe('text 7');
	expect(git(world.store.gitDir, 'cat-file', '-s', `${tree}:folder/a.bin`)).toBe('3');
	expect(storeOf(world.store)).toEqual({
		...{alone: before.alone + 1, packs: before.packs + 1},
		complaints: '',
	});
});
