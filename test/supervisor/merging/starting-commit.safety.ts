import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {combine} from '../../../src/conflicts/combine.ts';
import {changes} from '../../../src/git/tree/changes.ts';
import {apply} from '../../../src/state/apply/apply.ts';
import {putTogether} from '../../../src/supervisor/merging/fit-result.ts';
import {startingCommit} from '../../../src/supervisor/merging/starting-commit.ts';
import {restore} from '../../../src/supervisor/perform/restore.ts';
import {rework} from '../../../src/supervisor/perform/rework.ts';
import {inputOf} from '../../../src/supervisor/picking/select-work.ts';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {rebuildIfGone} from '../../../src/supervisor/worktree/rebuild.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {subtask} from '../../helpers/plan.ts';
import {snapshotTaken} from '../../helpers/quiet-outcome.ts';
import {commitAll, git, write} from '../../helpers/repository.ts';
import {type AtWork, makeAtWork} from '../at-work.ts';
import {makeSupervised} from '../world.ts';

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
	const input = inputOf(state(), agent().id);
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

test('a worktree that is recreated after that holds what it had been brought to', async () => {
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

/** Two agents with a commit of work each, both on the base. */
const makeTwo = async (one: string, other: string) => {
	const {world, state} = await makeSupervised(
		{'a.txt': 'a\n', 'b.txt': 'b\n'},
		{agents: ['AGT-001', 'AGT-002', 'AGT-003'].map(id => subtask(id))},
	);
	const {base} = requireSession(state);
	const {root} = world.repository;
	const works = ['AGT-001', 'AGT-002'] as const;
	const given = works.reduce((known, id) => {
		git(root, 'checkout', '--quiet', '--detach', base);
		write(root, {[id === 'AGT-001' ? one : other]: `${id}\n`});
		const work = commitAll(root, id);
		const seen = {seq: known.seq + 1, at: known.at};
		const ready = {base, baseline: base, onto: [], conflicts: []};
		const there = apply(known, {kind: 'workspace.prepared', agent: id, ...ready, ...seen});
		return apply(there, {...snapshotTaken(there, id, 'test'), work, ...seen});
	}, state);
	return {world, given, base, works};
};

test('works that collide can’t be built on, until a person has chosen between them', async () => {
	const {world, given, base, works} = await makeTwo('a.txt', 'a.txt');
	await expect(startingCommit(world, given, works, base)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringMatching(/^AGT-001 and AGT-002 can’t be combined: .*a\.txt/),
	});
	const chosen = {
		...{path: 'a.txt', a: ['AGT-001'], b: ['AGT-002']},
		...{choice: 'choose-one' as const, winner: ['AGT-002']},
	};
	// What was decided about work that isn't there says nothing of this.
	const other = {...chosen, b: ['AGT-003'], winner: ['AGT-003']};
	const resolved = {...given, resolutions: [other, chosen]};
	const start = await startingCommit(world, resolved, works, base);
	expect(git(world.store.gitDir, 'show', `${start}:a.txt`)).toBe('AGT-002');
});

test('who has nothing to build on starts where the target stands', async () => {
	const {world, given, base} = await makeTwo('a.txt', 'b.txt');
	expect(await startingCommit(world, given, ['AGT-003', 'AGT-009'], base)).toBe(base);
});

test('all accepted work is put together, and an agent that has made none is left out', async () => {
	const {world, given, base} = await makeTwo('a.txt', 'b.txt');
	const agents = given.agents.map(agent => ({
		...agent,
		state: 'COMPLETE' as const,
		verdict: {kind: 'accepted' as const, only: []},
	}));
	const merged = await putTogether(
		world,
		{...given, agents},
		agents.map(({id}) => id),
	);
	const changed = await changes(world.store, base, merged.tree);
	expect(changed.map(({path}) => path)).toEqual(['a.txt', 'b.txt']);
});
