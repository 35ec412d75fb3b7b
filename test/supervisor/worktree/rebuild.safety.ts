import {existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {snapshot} from '../../../src/supervisor/perform/snapshot.ts';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {rebuildIfGone} from '../../../src/supervisor/worktree/rebuild.ts';
import {filesBelow, write} from '../../helpers/repository.ts';
import {type AtWork, makeAtWork} from '../at-work.ts';

const files = {'src/a.txt': 'a\n', 'other.txt': 'other\n'};

const rebuild = async ({world, state, agent, told}: AtWork) => {
	const before = told.length;
	await rebuildIfGone(world, state(), agent());
	const bodies = told.slice(before);
	const [body] = bodies;
	const rebuilt = body?.kind === 'workspace.prepared' ? body.rebuilt : undefined;
	return {bodies, rebuilt, aside: join(world.folder.path, rebuilt?.aside ?? '')};
};

const effect = {
	key: {do: 'snapshot', agent: 'AGT-001', reason: 'a test'},
	do: 'snapshot',
	agent: 'AGT-001',
	reason: 'a test',
} as const;

test('a worktree that is there is left alone, and so is one that is still to be made', async () => {
	const atWork = await makeAtWork(files);
	write(atWork.tree, {'src/a.txt': 'work\n'});
	expect((await rebuild(atWork)).bodies).toEqual([]);
	expect(readFileSync(join(atWork.tree, 'src/a.txt'), 'utf8')).toBe('work\n');
	rmSync(atWork.tree, {recursive: true});
	const early = {...atWork.agent(), workspace: {phase: 'wanted' as const}};
	await rebuildIfGone(atWork.world, atWork.state(), early);
	expect(atWork.told).toEqual([]);
	expect(existsSync(atWork.tree)).toBe(false);
});

test('a link in its place is moved aside with what else is left, and the last snapshot is laid out', async () => {
	const atWork = await makeAtWork(files);
	const {world, agent, believe, tree} = atWork;
	write(tree, {'src/a.txt': 'work\n', 'src/new.txt': 'new\n'});
	believe(...(await capture(world, agent(), 'a test')));
	const before = filesBelow(tree);
	rmSync(tree, {recursive: true});
	symlinkSync(world.repository.root, tree);
	const {bodies, rebuilt, aside} = await rebuild(atWork);
	expect(bodies).toMatchObject([{agent: 'AGT-001', conflicts: [], rebuilt: {snapshot: 1}}]);
	expect(rebuilt?.aside).toMatch(/^AGT-001\/replaced-/);
	expect(readdirSync(aside).toSorted()).toEqual(['hub.git', 'index', 'tree']);
	expect(lstatSync(join(aside, 'tree')).isSymbolicLink()).toBe(true);
	expect(filesBelow(tree)).toEqual(before);
	expect(readFileSync(join(world.repository.root, 'src/a.txt'), 'utf8')).toBe('a\n');
});

test('one that is gone with its whole folder before a snapshot is made as it was at its start', async () => {
	const atWork = await makeAtWork(files, {setup: ['echo made > src/made.txt']});
	const {world, tree} = atWork;
	const before = filesBelow(tree);
	expect(Object.keys(before)).toContain('src/made.txt');
	rmSync(world.folder.agent('AGT-001').path, {recursive: true});
	const {rebuilt, aside} = await rebuild(atWork);
	expect(rebuilt?.snapshot).toBeNull();
	expect(readdirSync(aside)).toEqual([]);
	expect(filesBelow(tree)).toEqual(before);
});

test('a snapshot at a start is taken of a worktree that is recreated for it', async () => {
	const {world, state, agent, told, tree} = await makeAtWork(files);
	rmSync(tree, {recursive: true});
	expect(agent().state).toBe('SPAWNING');
	const bodies = await snapshot(world, state(), agent(), effect);
	expect([...told, ...bodies].map(({kind}) => kind)).toEqual([
		'workspace.prepared',
		'snapshot.taken',
	]);
});

test('any other snapshot of a worktree that is gone fails, to be tried again, and makes none anew', async () => {
	const {world, state, agent, begins, tree} = await makeAtWork(files);
	begins();
	rmSync(tree, {recursive: true});
	await expect(snapshot(world, state(), agent(), effect)).rejects.toMatchObject({
		kind: 'internal',
		message: expect.stringContaining('is not a folder any more'),
	});
	expect(existsSync(tree)).toBe(false);
});
