import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {revertPaths, revertPossible} from '../../../src/git/worktree/revert-paths.ts';
import {installInsteadOfGit} from '../../helpers/instead-of-git.ts';
import {filesBelow, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const instead = installInsteadOfGit();

/** The git that changes the files; the one that rehearses it has an option in between. */
const change = 'read-tree -m -u';

/** A worktree with two edits to revert. */
const edited = async () => {
	const world = await makeWorld({'a.txt': 'a\n', 'b.txt': 'b\n'});
	const {tree} = world;
	const before = filesBelow(tree);
	write(tree, {'a.txt': 'edited\n', 'b.txt': 'edited\n'});
	return {...world, before};
};

test('an edit that comes just before files are reverted stays, and another snapshot tells of it', async () => {
	const {tree, store, before, toRevert} = await edited();
	const found = await toRevert();
	instead(change, `echo newer >'${tree}/a.txt'`);
	await expect(revertPaths(store, found)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining("Entry 'a.txt' not uptodate"),
	});
	expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('newer\n');
	expect(readFileSync(join(tree, 'b.txt'), 'utf8')).toBe('edited\n');
	await revertPaths(store, await toRevert());
	expect(filesBelow(tree)).toEqual(before);
});

test('files that a git which failed in the middle has not reverted are named, and go back later', async () => {
	const {tree, store, before, toRevert} = await edited();
	instead(change, `echo a >'${tree}/a.txt'; echo 'fatal: not today' >&2; exit 128`);
	expect([...(await revertPossible(store, await toRevert()))]).toEqual([['b.txt', 'not today']]);
	await revertPaths(store, await toRevert());
	expect(filesBelow(tree)).toEqual(before);
});
