import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {combine} from '../../src/conflicts/combine.ts';
import {changes} from '../../src/git/changes.ts';
import {inputOf} from '../../src/supervisor/merging/ground.ts';
import {requireSession} from '../../src/supervisor/perform/prepare.ts';
import {restore} from '../../src/supervisor/perform/restore.ts';
import {rework} from '../../src/supervisor/perform/rework.ts';
import {capture} from '../../src/supervisor/worktree/capture.ts';
import {rebuildIfGone} from '../../src/supervisor/worktree/rebuild.ts';
import {commitAll, git, write} from '../helpers/repository.ts';
import {type AtWork, makeAtWork} from './at-work.ts';

/** An agent whose work was captured, and then put on top of a commit that the person made meanwhile. */
const makeReworked = async () => {
	const atWork = await makeAtWork({'src/a.txt': 'a\n', 'src/both.txt': 'base\n'});
	const {world, state, agent, believe, tree} = atWork;
	const take = async () => believe(...(await capture(world, agent(), 'a test')));
	write(tree, {'src/a.txt': 'own\n', 'src/both.txt': 'own\n'});
	await take();
	const {root} = world.repository;
	write(root, {'src/mine.txt': 'mine\n', 'src/both.txt': 'mine\n'});
	const tip = commitAll(root);
	believe({kind: 'target.moved', from: requireSession(state()).tip, to: tip});
	await rework(world, state(), agent(), []);
	expect(agent().workspace).toMatchObject({base: tip, conflicts: ['src/both.txt']});
	return {...atWork, take, tip};
};

/** Puts an agent's work on the target's tip, and tells what that changes there and what collides. */
const merge = async ({world, state, agent}: AtWork) => {
	const {tip, base, startedAt} = requireSession(state());
	const input = inputOf(agent());
	const inputs = input === undefined ? [] : [input];
	const parts = {tip, base, inputs, resolutions: [], at: startedAt};
	const merged = await combine(world.store, parts);
	const changed = await changes(world.store, tip, merged.tree);
	return {
		changed: changed.map(({status, path}) => `${status} ${path}`),
		collides: merged.kind === 'clean' ? [] : merged.conflicts.map(({path}) => path),
	};
};

test('work that was put on other work, and not done again since, takes nothing of that back', async () => {
	const reworked = await makeReworked();
	expect(await merge(reworked)).toEqual({changed: ['M src/a.txt'], collides: ['src/both.txt']});
});

test('a snapshot from before that is restored takes nothing of it back, either', async () => {
	const reworked = await makeReworked();
	const {world, state, agent, believe, take, tree, tip} = reworked;
	write(tree, {'src/both.txt': 'resolved\n'});
	await take();
	expect(await merge(reworked)).toEqual({
		changed: ['M src/a.txt', 'M src/both.txt'],
		collides: [],
	});
	believe(...(await restore(world, state(), agent(), 1)));
	expect(git(world.repository.root, 'show', `${tip}:src/mine.txt`)).toBe('mine');
	expect(readFileSync(join(tree, 'src/both.txt'), 'utf8')).toBe('own\n');
	expect(agent().snapshots.at(-1)).toMatchObject({reason: 'restored:1', files: 2});
	expect(await merge(reworked)).toEqual({changed: ['M src/a.txt'], collides: ['src/both.txt']});
});

test('a worktree that is made anew after that holds what it had been brought to', async () => {
	const {world, state, agent, take, tree, ...reworked} = await makeReworked();
	const marked = readFileSync(join(tree, 'src/both.txt'), 'utf8');
	expect(marked).toContain('<<<<<<<<<<<<<<< target\nmine\n');
	rmSync(tree, {recursive: true});
	await rebuildIfGone(world, state(), agent());
	expect(readFileSync(join(tree, 'src/both.txt'), 'utf8')).toBe(marked);
	expect(readFileSync(join(tree, 'src/mine.txt'), 'utf8')).toBe('mine\n');
	await take();
	expect((await merge({world, state, agent, tree, ...reworked})).changed).toEqual([
		'M src/a.txt',
		'M src/both.txt',
	]);
});
