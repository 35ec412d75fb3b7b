import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {worktreeTree} from '../../../src/git/worktree/snapshot/snapshot.ts';
import {git, script, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'delegate-git-'));
const told = join(folder, 'gits');

/** Our program looks git up once, so this comes before anything else. */
beforeAll(() => {
	const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
	script(join(folder, 'git'), `echo "$1" >>${told}\nexec ${real} "$@"`);
	process.env.PATH = `${folder}:${process.env.PATH ?? ''}`;
});

afterAll(() => rmSync(folder, {recursive: true}));

/** Returns what came of it, with the gits that it started. */
const counted = async <Result>(act: () => Promise<Result>) => {
	writeFileSync(told, '');
	const result = await act();
	return {result, gits: readFileSync(told, 'utf8').split('\n').filter(Boolean)};
};

test('a look at a worktree that stands as it stood before starts one git', async () => {
	const {folder: own, store, tree, snapshot, base} = await makeWorld();
	write(tree, {'a.txt': 'a\n', 'deep/b.txt': 'b\n'});
	const {tree: taken} = await snapshot();
	const look = () => worktreeTree(store, {tree, index: join(own, 'index'), seed: base});
	expect(await look()).toBe(taken);
	expect(await counted(look)).toEqual({result: taken, gits: ['ls-files']});

	write(tree, {'a.txt': 'edited\n', 'new.txt': 'new\n'});
	rmSync(join(tree, 'deep'), {recursive: true});
	const {result} = await counted(look);
	expect(git(store.gitDir, 'show', `${result}:a.txt`)).toBe('edited');
	expect(git(store.gitDir, 'ls-tree', '-r', '--name-only', result)).not.toContain('deep');
	const again = await counted(look);
	expect(again.result).toBe(result);
	expect(again.gits).not.toContain('write-tree');
});

test('a look at a sparse worktree lists nothing that it leaves out, until something is there', async () => {
	const {
		folder: own,
		store,
		tree,
		snapshot,
		base,
	} = await makeWorld({
		'in/a.txt': 'a\n',
		'out/deep/b.txt': 'b\n',
		'out/c.txt': 'c\n',
	});
	rmSync(join(tree, 'out'), {recursive: true});
	const whole = git(store.gitDir, 'rev-parse', `${base}^{tree}`);
	const leftOut = {folders: ['in'], as: whole};
	const look = () => worktreeTree(store, {tree, index: join(own, 'index'), seed: base, leftOut});
	expect(await look()).toBe(whole);
	expect(await counted(look)).toEqual({result: whole, gits: ['ls-files']});

	write(tree, {'in/a.txt': 'edited\n'});
	const edited = await counted(look);
	expect(edited.gits).toEqual(['ls-files', 'update-index', 'write-tree']);
	expect((await snapshot({leftOut})).tree).toBe(edited.result);
	expect(await look()).toBe(edited.result);
	expect(await counted(look)).toEqual({result: edited.result, gits: ['ls-files']});

	const textAt = (at: string, path: string) => git(store.gitDir, 'show', `${at}:${path}`);
	// A file takes the place of a folder that is left out, and another one is written over.
	write(tree, {'out/c.txt': 'written\n', 'out/deep': 'a file\n'});
	const written = await look();
	expect([textAt(written, 'out/c.txt'), textAt(written, 'out/deep')]).toEqual([
		'written',
		'a file',
	]);
	expect((await snapshot({leftOut})).tree).toBe(written);
	rmSync(join(tree, 'out'), {recursive: true});
	expect(await look()).toBe(edited.result);
	expect((await snapshot({leftOut})).tree).toBe(edited.result);
	expect(await look()).toBe(edited.result);
	expect(await counted(look)).toEqual({result: edited.result, gits: ['ls-files']});
});
