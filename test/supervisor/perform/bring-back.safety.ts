import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {bringBack} from '../../../src/supervisor/perform/restore.ts';
import {show} from '../../../src/supervisor/show/show.ts';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeAtWork} from '../at-work.ts';

const text = (tree: string, path: string): string => readFileSync(join(tree, path), 'utf8');

/** Writes outside of its scope, which is seen and reverted, and is granted it. */
const makeGranted = async (...paths: readonly string[]) => {
	const atWork = await makeAtWork({'src/a.txt': 'a\n', 'lib/x.txt': 'x\n', 'lib/gone.txt': 'g\n'});
	const {world, agent, believe, tree} = atWork;
	write(tree, {'src/a.txt': 'work\n', 'lib/x.txt': 'mine\n', 'lib/new.txt': 'new\n'});
	git(tree, 'rm', '--quiet', 'lib/gone.txt');
	believe(...(await capture(world, agent(), 'a test')));
	write(tree, {'src/a.txt': 'more work\n'});
	believe(...(await capture(world, agent(), 'another test')));
	expect(text(tree, 'lib/x.txt')).toBe('x\n');
	const shown = await show(world, atWork.state(), {
		...{what: {of: 'reverted', agent: 'AGT-001'}, offset: 0, limit: 100},
	});
	believe({kind: 'user.steered', agent: 'AGT-001', order: {verb: 'grant', paths}});
	const {granted} = agent();
	if (granted === undefined) {
		throw new Error('Nothing was granted.');
	}

	const effect = {do: 'bring-back', agent: 'AGT-001', ...granted} as const;
	return {
		...atWork,
		shown: shown.lines,
		bringBack: async () => {
			believe(...(await bringBack(world, atWork.state(), agent(), {...effect, key: effect})));
			return atWork.told.findLast(({kind}) => kind === 'scope.granted');
		},
	};
};

test('what was granted of the reverted changes comes back into the worktree and into the work, and the rest stays reverted', async () => {
	const {world, tree, agent, shown, bringBack} = await makeGranted('lib/x.txt', 'lib/gone.txt');
	expect(shown.filter(line => /^[+-]\w/.test(line))).toEqual(['-g', '+new', '-x', '+mine']);
	expect(await bringBack()).toMatchObject({paths: ['lib/gone.txt', 'lib/x.txt'], left: []});
	expect(text(tree, 'lib/x.txt')).toBe('mine\n');
	const work = agent().snapshots.at(-1)?.work ?? '';
	const listed = git(world.store.gitDir, 'ls-tree', '-r', '--name-only', work);
	expect(listed.split('\n')).toEqual(['lib/x.txt', 'src/a.txt']);
	expect(git(world.store.gitDir, 'show', `${work}:src/a.txt`)).toBe('more work');
	expect(agent()).toMatchObject({violations: [{path: 'lib/new.txt'}]});
	expect(agent()).not.toHaveProperty('granted');
});

test('what was granted never takes back what came there since', async () => {
	const {tree, bringBack} = await makeGranted('lib/x.txt');
	write(tree, {'lib/x.txt': 'written again\n'});
	expect(await bringBack()).toMatchObject({
		paths: [],
		left: [{path: 'lib/x.txt', why: 'it was changed again since'}],
	});
	expect(text(tree, 'lib/x.txt')).toBe('written again\n');
});

test('what was granted never takes the place of a folder, nor of a file where its folder was', async () => {
	const {tree, bringBack} = await makeGranted('lib/new.txt', 'lib/x.txt');
	rmSync(join(tree, 'lib/x.txt'));
	write(tree, {'lib/new.txt/a.md': 'a\n', 'lib/x.txt/b.md': 'b\n'});
	expect(await bringBack()).toMatchObject({
		paths: [],
		left: [{path: 'lib/new.txt'}, {path: 'lib/x.txt'}],
	});
	expect(text(tree, 'lib/new.txt/a.md')).toBe('a\n');
});
