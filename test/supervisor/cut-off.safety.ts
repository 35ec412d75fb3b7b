import {existsSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Body} from '../../src/events/event.ts';
import {Failure} from '../../src/lib/failure.ts';
import {prepare} from '../../src/supervisor/perform/prepare.ts';
import {restore} from '../../src/supervisor/perform/restore.ts';
import {rework} from '../../src/supervisor/perform/rework.ts';
import {capture} from '../../src/supervisor/worktree/capture.ts';
import {noteUnfinished} from '../../src/supervisor/worktree/change-worktree.ts';
import {rebuildIfGone} from '../../src/supervisor/worktree/rebuild.ts';
import {requireSession, type World} from '../../src/supervisor/world.ts';
import {commitAll, filesBelow, git, temporaryFolder, write} from '../helpers/repository.ts';
import {type AtWork, makeAtWork} from './at-work.ts';

const files = {'src/a.txt': 'a\n', 'src/both.txt': 'base\n'};

/** A world whose supervisor dies over telling what it has done. */
const dying = (world: World): World => ({
	...world,
	append: async () => {
		throw new Failure('internal', 'It died.');
	},
});

const died = {message: 'It died.'};

/** Takes a snapshot, and believes what came of it. */
const take = async ({world, agent, believe}: AtWork): Promise<void> =>
	believe(...(await capture(world, agent(), 'a test')));

const taken = ({agent}: AtWork) => agent().snapshots.at(-1);

/** Returns the contents of a file in each snapshot that is pinned, in no order. */
const pinned = ({world}: AtWork, path: string): readonly string[] => {
	const {gitDir} = world.store;
	const refs = git(
		gitDir,
		'for-each-ref',
		'--format=%(refname)',
		`refs/delegate/${world.session}/AGT-001`,
	);
	return refs
		.split('\n')
		.filter(ref => /\/\d+$/.test(ref))
		.map(ref => git(gitDir, 'show', `${ref}:${path}`));
};

describe('a worktree is prepared from nothing, however often', () => {
	/** A `setup` that makes another file each time. */
	const countingSetup = (): string => {
		const counter = join(temporaryFolder(), 'count');
		return `echo >> ${counter}; touch src/made-$(wc -l < ${counter} | tr -d ' ')`;
	};

	test('what an earlier try made is neither there nor counts as work', async () => {
		const atWork = await makeAtWork(files, {setup: [countingSetup()]});
		const {world, state, agent, believe, tree} = atWork;
		const early = {...agent(), workspace: {phase: 'wanted' as const}};
		believe(...(await prepare(world, state(), early)));
		expect(readdirSync(join(tree, 'src'))).toEqual(['a.txt', 'both.txt', 'made-2']);
		expect(readdirSync(world.folder.agent('AGT-001').path)).not.toContain('discarded');
		await take(atWork);
		expect(taken(atWork)).toMatchObject({files: 0, outside: []});
	});

	test('what an earlier try made and nobody may remove is in no one’s way', async () => {
		const atWork = await makeAtWork(files, {setup: ['mkdir kept; touch kept/a; chmod 555 kept']});
		const {world, state, agent, tree} = atWork;
		const early = {...agent(), workspace: {phase: 'wanted' as const}};
		await prepare(world, state(), early);
		expect(existsSync(join(tree, 'kept/a'))).toBe(true);
	});
});

describe('a worktree that is recreated', () => {
	/** An agent's work is pinned, its worktree gone, and `setup` fails once. */
	const makeHalf = async () => {
		const broken = join(temporaryFolder(), 'broken');
		const setup = [`test ! -e ${broken}`, 'echo set > src/setup.txt'];
		const atWork = await makeAtWork(files, {setup});
		write(atWork.tree, {'src/one.txt': 'one\n'});
		await take(atWork);
		const before = filesBelow(atWork.tree);
		write(join(broken, '..'), {broken: ''});
		rmSync(atWork.tree, {recursive: true});
		const again = () => rebuildIfGone(atWork.world, atWork.state(), atWork.agent());
		await expect(again()).rejects.toThrow('setup failed');
		return {...atWork, before, again, repair: () => rmSync(broken)};
	};

	test('is begun again where `setup` failed, and keeps all of the agent’s work', async () => {
		const {tree, before, again, repair, told} = await makeHalf();
		expect(existsSync(join(tree, 'src/one.txt'))).toBe(false);
		await expect(again()).rejects.toThrow('setup failed');
		repair();
		await again();
		expect(filesBelow(tree)).toEqual(before);
		expect(told.at(-1)).toMatchObject({kind: 'workspace.prepared', rebuilt: {snapshot: 1}});
		await again();
		expect(told.filter(({kind}) => kind === 'workspace.prepared')).toHaveLength(1);
	});

	test('names where the old one lies, also when it was begun more than once', async () => {
		const {world, told, again, repair} = await makeHalf();
		const {path} = world.folder.agent('AGT-001');
		const aside = readdirSync(path).filter(name => name.startsWith('replaced-'));
		repair();
		await again();
		expect(told.at(-1)).toMatchObject({rebuilt: {aside: `AGT-001/${aside[0]}`}});
		expect(readdirSync(join(path, aside[0] ?? '')).toSorted()).toEqual(['hub.git', 'index']);
		expect(readdirSync(path).filter(name => name.startsWith('replaced-'))).toEqual(aside);
	});

	test('is nobody’s work before it is whole', async () => {
		const {world, agent} = await makeHalf();
		await expect(capture(world, agent(), 'a test')).rejects.toMatchObject({kind: 'internal'});
	});

	test('is made once more when nobody was told that it was', async () => {
		const {world, state, agent, tree, before, again, repair, told} = await makeHalf();
		repair();
		await expect(rebuildIfGone(dying(world), state(), agent())).rejects.toMatchObject(died);
		await again();
		expect(filesBelow(tree)).toEqual(before);
		expect(told.at(-1)).toMatchObject({rebuilt: {snapshot: 1}});
	});
});

/** An agent whose work is to be put on top of a commit that collides with it. */
const makeCollided = async () => {
	const atWork = await makeAtWork(files);
	const {world, state, believe, tree} = atWork;
	write(tree, {'src/a.txt': 'own\n', 'src/both.txt': 'own\n'});
	await take(atWork);
	const before = filesBelow(tree);
	const {root} = world.repository;
	write(root, {'src/mine.txt': 'mine\n', 'src/both.txt': 'mine\n'});
	const move = (): void => {
		believe({kind: 'target.moved', from: requireSession(state()).tip, to: commitAll(root)});
	};
	move();
	const again = (by = world) => rework(by, state(), atWork.agent(), []);
	return {...atWork, before, move, again};
};

describe('other work that is put under an agent', () => {
	test('is put there again when nobody was told that it was', async () => {
		const {world, told, tree, again} = await makeCollided();
		await expect(again(dying(world))).rejects.toMatchObject(died);
		const once = filesBelow(tree);
		await again();
		expect(filesBelow(tree)).toEqual(once);
		expect(told.at(-1)).toMatchObject({kind: 'workspace.prepared', conflicts: ['src/both.txt']});
	});

	test('may be other work by then', async () => {
		const collided = await makeCollided();
		const {world, tree, move, again} = collided;
		await expect(again(dying(world))).rejects.toMatchObject(died);
		rmSync(join(world.repository.root, 'src/mine.txt'));
		write(world.repository.root, {'src/both.txt': 'base\n', 'src/late.txt': 'late\n'});
		move();
		await again();
		expect(Object.keys(filesBelow(join(tree, 'src')))).toEqual(['a.txt', 'both.txt', 'late.txt']);
		await take(collided);
		expect(taken(collided)).toMatchObject({files: 2});
	});

	test('is taken back before the agent goes on without it, and what was found there is pinned', async () => {
		const collided = await makeCollided();
		const {world, state, agent, tree, before, again} = collided;
		await expect(again(dying(world))).rejects.toMatchObject(died);
		write(tree, {'src/a.txt': 'somebody’s\n', 'src/new.txt': 'somebody’s\n'});
		await expect(capture(world, agent(), 'a test')).rejects.toMatchObject({kind: 'internal'});
		await rebuildIfGone(world, state(), agent());
		expect(filesBelow(tree)).toEqual(before);
		expect(pinned(collided, 'src/a.txt')).toContain('somebody’s');
		await take(collided);
		expect(taken(collided)).toMatchObject({files: 2});
	});

	test('stays away from a file that somebody edited since, and so does all that comes later', async () => {
		const {world, state, agent, tree, again} = await makeCollided();
		write(tree, {'src/both.txt': 'edited since\n'});
		await expect(again()).rejects.toMatchObject({kind: 'refused'});
		await rebuildIfGone(world, state(), agent());
		expect(readFileSync(join(tree, 'src/both.txt'), 'utf8')).toBe('edited since\n');
		expect(existsSync(join(tree, 'src/mine.txt'))).toBe(false);
	});
});

describe('a snapshot that a worktree is set back to', () => {
	/** Two snapshots, of which the first one is wanted again; told is told so far. */
	const makeTwice = async () => {
		const atWork = await makeAtWork(files);
		const {world, state, agent, believe, tree} = atWork;
		write(tree, {'src/a.txt': 'one\n', 'src/one.txt': 'one\n'});
		await take(atWork);
		const first = filesBelow(tree);
		rmSync(join(tree, 'src/one.txt'));
		write(tree, {'src/a.txt': 'two\n', 'src/two.txt': 'two\n'});
		await take(atWork);
		const second = filesBelow(tree);
		const again = async (by = world) => believe(...(await restore(by, state(), agent(), 1)));
		return {...atWork, first, second, again};
	};

	/** Tells what comes before the files are touched, and dies over the rest. */
	const dyingOver = (kind: Body['kind'], world: World): World => ({
		...world,
		append: async bodies =>
			bodies.some(body => body.kind === kind) ? dying(world).append(bodies) : world.append(bodies),
	});

	test('is set back to again, or else the worktree goes back to where it was', async () => {
		const {world, state, agent, tree, first, second, again, told} = await makeTwice();
		await expect(again(dyingOver('snapshot.restored', world))).rejects.toMatchObject(died);
		expect(filesBelow(tree)).toEqual(first);
		expect(told.some(({kind}) => kind === 'snapshot.restored')).toBe(false);
		await rebuildIfGone(world, state(), agent());
		expect(filesBelow(tree)).toEqual(second);
		await again();
		expect(filesBelow(tree)).toEqual(first);
		expect(agent().snapshots.at(-1)).toMatchObject({reason: 'restored:1', files: 2});
	});

	test('does not bring back what left the scope', async () => {
		const atWork = await makeAtWork(files);
		const {world, state, agent, believe, told, tree} = atWork;
		write(tree, {'src/a.txt': 'one\n', 'outside.txt': 'out\n'});
		await take(atWork);
		write(tree, {'src/a.txt': 'two\n', 'outside.txt': 'out again\n'});
		believe(...(await restore(world, state(), agent(), 1)));
		expect(existsSync(join(tree, 'outside.txt'))).toBe(false);
		expect(told.filter(({kind}) => kind === 'scope.left')).toHaveLength(2);
		expect(readFileSync(join(tree, 'src/a.txt'), 'utf8')).toBe('one\n');
		expect(pinned(atWork, 'src/a.txt').toSorted()).toEqual(['one', 'one', 'two']);
	});
});

test('a note without a worktree counts as a worktree that is gone', async () => {
	const {world, state, agent, told, tree} = await makeAtWork(files);
	await noteUnfinished(world.folder.agent('AGT-001'), 'changed');
	rmSync(tree, {recursive: true});
	await rebuildIfGone(world, state(), agent());
	expect(readFileSync(join(tree, 'src/a.txt'), 'utf8')).toBe('a\n');
	expect(told).toMatchObject([{kind: 'workspace.prepared', rebuilt: {snapshot: null}}]);
	expect(existsSync(world.folder.agent('AGT-001').unfinished)).toBe(false);
});
