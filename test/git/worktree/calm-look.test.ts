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
