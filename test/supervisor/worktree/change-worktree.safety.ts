import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {
	changeWorktree,
	treeNow,
	unfinishedIn,
} from '../../../src/supervisor/worktree/change-worktree.ts';
import {heldTree} from '../../../src/supervisor/worktree/hidden-in.ts';
import type {World} from '../../../src/supervisor/world.ts';
import {write} from '../../helpers/repository.ts';
import {type AtWork, makeAtWork} from '../at-work.ts';

const files = {'src/a.txt': 'a\n', 'src/b.txt': 'b\n'};

/** Tries to go back from a snapshot to the base, in a worktree that doesn't hold that snapshot any more. */
const tryToGoBack = async (atWork: AtWork, world: World = atWork.world): Promise<void> => {
	const {agent, believe, tree} = atWork;
	const to = await treeNow(atWork.world, agent());
	write(tree, {'src/a.txt': 'one\n'});
	believe(...(await capture(atWork.world, agent(), 'a test')));
	const from = agent().snapshots.at(-1)?.tree ?? '';
	write(tree, {'src/a.txt': 'two\n'});
	const parts = {from, to, patch: 'test', events: async () => []};
	await expect(changeWorktree(world, agent(), parts)).rejects.toMatchObject({kind: 'refused'});
	expect(readFileSync(join(tree, 'src/a.txt'), 'utf8')).toBe('two\n');
};

describe('a change of a worktree that was refused', () => {
	test('is over when nothing came of it', async () => {
		const atWork = await makeAtWork(files);
		await tryToGoBack(atWork);
		expect(await unfinishedIn(atWork.world.folder.agent('AGT-001'))).toBeUndefined();
	});

	test('stays noted when the worktree is not as it was before', async () => {
		const atWork = await makeAtWork(files);
		const {world, tree} = atWork;
		let looks = 0;
		const touched: World = {
			...world,
			folder: {
				...world.folder,
				agent: id => {
					looks += 1;
					write(tree, looks > 2 ? {'src/b.txt': 'somebody was here\n'} : {});
					return world.folder.agent(id);
				},
			},
		};
		await tryToGoBack(atWork, touched);
		expect(looks).toBe(3);
		expect(await unfinishedIn(world.folder.agent('AGT-001'))).toBe('changed');
	});
});

test('there is nothing to look at before there is a worktree', async () => {
	const {world, agent} = await makeAtWork(files);
	const early = {...agent(), workspace: {phase: 'wanted' as const}};
	expect(() => treeNow(world, early)).toThrow('AGT-001 has no worktree yet.');
	await expect(heldTree(world, early)).rejects.toThrow('AGT-001 has no worktree yet.');
});

test('a note that can’t be read is no worktree that is as it should be', async () => {
	const {world} = await makeAtWork(files);
	const folder = world.folder.agent('AGT-001');
	mkdirSync(folder.unfinished);
	await expect(unfinishedIn(folder)).rejects.toMatchObject({code: 'EISDIR'});
});
