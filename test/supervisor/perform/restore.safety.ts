import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {restore} from '../../../src/supervisor/perform/restore.ts';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {rebuildIfGone} from '../../../src/supervisor/worktree/rebuild.ts';
import {filesBelow, git, write} from '../../helpers/repository.ts';
import {makeAtWork} from '../at-work.ts';

/** A worktree of which two snapshots were taken. */
const makeCaptured = async () => {
	const atWork = await makeAtWork({'src/a.txt': 'a\n'});
	const {world, agent, believe, tree} = atWork;
	const take = async () => believe(...(await capture(world, agent(), 'a test')));
	write(tree, {'src/a.txt': 'one\n', 'src/one.txt': 'one\n'});
	await take();
	const first = filesBelow(tree);
	rmSync(join(tree, 'src/one.txt'));
	write(tree, {'src/a.txt': 'two\n', 'src/two.txt': 'two\n'});
	await take();
	return {
		...atWork,
		first,
		restore: async (n: number) => {
			const before = atWork.told.length;
			believe(...(await restore(world, atWork.state(), agent(), n)));
			return atWork.told.slice(before);
		},
	};
};

test('a worktree goes back to a snapshot, and what it held is pinned first', async () => {
	const {world, tree, first, restore} = await makeCaptured();
	write(tree, {'src/late.txt': 'in no snapshot yet\n'});
	const bodies = await restore(1);
	expect(filesBelow(tree)).toEqual(first);
	expect(bodies).toMatchObject([
		{kind: 'snapshot.taken', number: 3, reason: 'before-restore:1'},
		{kind: 'snapshot.taken', number: 4, reason: 'restored:1'},
		{kind: 'snapshot.restored', agent: 'AGT-001', number: 1},
	]);
	const pinned = (path: string) =>
		git(world.store.gitDir, 'show', `refs/delegate/${world.session}/AGT-001/3:${path}`);
	expect([pinned('src/late.txt'), pinned('src/two.txt')]).toEqual(['in no snapshot yet', 'two']);
});

test('a worktree that is gone is recreated before it goes back', async () => {
	const {tree, first, restore} = await makeCaptured();
	rmSync(tree, {recursive: true});
	expect((await restore(1)).map(({kind}) => kind)).toEqual([
		'workspace.prepared',
		'snapshot.taken',
		'snapshot.taken',
		'snapshot.restored',
	]);
	expect(filesBelow(tree)).toEqual(first);
});

test('files come back byte for byte where git converts them, from a snapshot and into a worktree recreated', async () => {
	const atWork = await makeAtWork({'.gitattributes': '* text=auto\n', 'src/a.txt': 'a\n'});
	const {world, agent, believe, state, tree} = atWork;
	const take = async () => believe(...(await capture(world, agent(), 'a test')));
	write(tree, {'src/a.txt': 'a\r\n', 'src/mixed.txt': 'a\r\nb\n'});
	await take();
	const first = filesBelow(tree);
	write(tree, {'src/a.txt': 'a\n', 'src/mixed.txt': 'a\nb\r\n'});
	await take();
	const second = filesBelow(tree);
	expect(second).not.toEqual(first);

	rmSync(tree, {recursive: true});
	await rebuildIfGone(world, state(), agent());
	expect(filesBelow(tree)).toEqual(second);
	believe(...(await restore(world, state(), agent(), 1)));
	expect(filesBelow(tree)).toEqual(first);
	expect(agent().snapshots.at(-1)?.files).toBe(1);
});

test('a snapshot that was never taken is refused, and nothing changes', async () => {
	const {tree, restore} = await makeCaptured();
	await expect(restore(7)).rejects.toMatchObject({
		kind: 'refused',
		message: 'AGT-001 has no snapshot 7.',
	});
	expect(readFileSync(join(tree, 'src/a.txt'), 'utf8')).toBe('two\n');
});

test('before there is a worktree nothing has to go back', async () => {
	const {world, state, agent, tree} = await makeCaptured();
	const early = {...agent(), workspace: {phase: 'wanted' as const}};
	expect(await restore(world, state(), early, 1)).toEqual([
		{kind: 'snapshot.restored', agent: 'AGT-001', number: 1},
	]);
	expect(readFileSync(join(tree, 'src/a.txt'), 'utf8')).toBe('two\n');
});

test('an agent that nobody knows any more goes back as it was known', async () => {
	const {world, state, agent, tree, first} = await makeCaptured();
	const forgetful = {...world, state: () => ({...state(), agents: []})};
	await restore(forgetful, state(), agent(), 1);
	expect(filesBelow(tree)).toEqual(first);
});
