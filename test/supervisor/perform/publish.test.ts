import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readSettings} from '../../../src/git/read-settings.ts';
import {commitTree} from '../../../src/git/store/store.ts';
import type {State} from '../../../src/state/state.ts';
import {publish} from '../../../src/supervisor/perform/publish.ts';
import {perform} from '../../../src/supervisor/perform.ts';
import {findTargetMove, probe} from '../../../src/supervisor/probe.ts';
import type {World} from '../../../src/supervisor/world.ts';
import {mergeBuilt} from '../../helpers/happened.ts';
import {commitAll, git, script, write} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

/** A state in which a merge is about to be published, and how that is done. */
const intended = async () => {
	const {world, state} = await makeSupervised({'a.txt': 'a\n'});
	const {root} = world.repository;
	const from = git(root, 'rev-parse', 'HEAD');
	write(root, {'a.txt': 'merged\n'});
	git(root, 'add', 'a.txt');
	const tree = git(root, 'write-tree');
	git(root, 'reset', '--quiet', '--hard');
	const to = await commitTree(world.store, {
		tree,
		parents: [from],
		message: 'Work',
		at: '2026-11-21T20:00:00Z',
	});
	const {digest} = await readSettings(world.repository);
	const gitSettings = {digest, changed: []};
	const built = mergeBuilt({commit: to, tree, tip: from, gitSettings});
	const verified = {ok: true, commands: [], log: null};
	const since = '2026-11-21T20:00:00Z';
	const given: State = {
		...state,
		merge: {phase: 'intended', built, verified, approval: 'a-1', since},
	};
	const act = (now: State = given, by: Partial<World> = {}) =>
		publish(
			{...world, state: () => now, ...by},
			{key: {do: 'publish', commit: to, approval: 'a-1'}, do: 'publish', commit: to, from},
		);
	return {world, root, state: given, from, to, act};
};

test('a merge that may be published is, and told', async () => {
	const {root, from, to, act} = await intended();
	const outcome = await act();
	const tree = git(root, 'rev-parse', 'main^{tree}');
	expect(outcome).toEqual([
		{kind: 'merge.published', commit: to, from, agents: ['AGT-001'], tree, checked: 'not'},
	]);
	expect(git(root, 'rev-parse', 'main')).toBe(to);
});

test('a merge is not published once that isn’t intended any more', async () => {
	const {root, state, from, act} = await intended();
	expect(await act({...state, merge: {phase: 'none'}})).toEqual([]);
	const {merge} = state;
	const another =
		merge.phase === 'intended' ? {...merge, built: {...merge.built, commit: 'another'}} : merge;
	expect(await act({...state, merge: another})).toEqual([]);
	expect(git(root, 'rev-parse', 'main')).toBe(from);
});

test('a merge that something at work on the target made void meanwhile is not published', async () => {
	const {world, root, state, from, act} = await intended();
	const {promise, resolve} = Promise.withResolvers<void>();
	void world.serially('target', () => promise);
	let now = state;
	const outcome = act(state, {state: () => now});
	now = {...state, merge: {phase: 'none'}};
	resolve();
	expect(await outcome).toEqual([]);
	expect(git(root, 'rev-parse', 'main')).toBe(from);
});

test('what something at work on the target has cleared up meanwhile is not looked for', async () => {
	const {world, state} = await intended();
	const since = '2026-11-21T20:00:00Z';
	const due: State = {...state, merge: {phase: 'none'}, interrupted: [{from: 'a', to: 'b', since}]};
	const {promise, resolve} = Promise.withResolvers<void>();
	void world.serially('target', () => promise);
	let now = due;
	const effect = {key: {do: 'clear-up'}, do: 'clear-up'} as const;
	const outcome = perform({...world, state: () => now}, effect, due);
	now = {...due, interrupted: []};
	resolve();
	expect(await outcome).toEqual([]);
	expect(await perform({...world, state: () => due}, effect, due)).toMatchObject([
		{kind: 'machine.interrupted'},
	]);
});

test('a merge is not published under other settings than it was approved with, unless it has arrived', async () => {
	const {world, root, state, from, to, act} = await intended();
	const {digest} = await readSettings(world.repository);
	const {merge} = state;
	const approved = (gitSettings: {digest: string; changed: readonly string[]}): State => ({
		...state,
		merge: merge.phase === 'intended' ? {...merge, built: {...merge.built, gitSettings}} : merge,
	});
	const refused = {kind: 'merge.refused', commit: to, cause: 'settings-changed'};
	script(join(root, '.git/hooks/post-merge'), 'exit 0');
	expect(await act(approved({digest, changed: []}))).toMatchObject([refused]);
	expect(git(root, 'rev-parse', 'main')).toBe(from);
	const seen = await readSettings(world.repository);
	expect(await act(approved({digest: seen.digest, changed: []}))).toMatchObject([
		{kind: 'merge.published'},
	]);
	expect(git(root, 'rev-parse', 'main')).toBe(to);
	expect(await act(approved({digest, changed: []}))).toMatchObject([{kind: 'merge.published'}]);
});

test('a refusal names the files', async () => {
	const {root, to, act} = await intended();
	write(root, {'a.txt': 'mine\n'});
	expect(await act()).toMatchObject([
		{
			kind: 'merge.refused',
			commit: to,
			cause: 'dirty-checkout',
			message: expect.stringContaining('a.txt'),
		},
	]);
});

test('a target that moved is told with where it is, one that is gone is not', async () => {
	const {world, state, root, from, act} = await intended();
	expect(await findTargetMove(world, state)).toEqual([]);
	const tip = commitAll(root, 'theirs');
	const moved = {kind: 'target.moved', from, to: tip};
	expect(await act()).toMatchObject([moved, {kind: 'merge.refused', cause: 'target-moved'}]);
	expect((await probe(world, state, undefined)).news).toEqual([moved]);
	git(root, 'checkout', '--quiet', '--detach');
	git(root, 'branch', '--quiet', '-D', 'main');
	expect(await act()).toMatchObject([{kind: 'merge.refused', cause: 'no-target'}]);
	expect(await findTargetMove(world, state)).toEqual([]);
});

test('nobody looks at the target once the session has ended', async () => {
	const {world, state, root} = await intended();
	commitAll(root, 'theirs');
	const {session} = state;
	const ended = {status: 'COMPLETE', why: 'done', at: '2026-11-21T20:00:00Z'} as const;
	expect(
		session && (await findTargetMove(world, {...state, session: {...session, ended}})),
	).toEqual([]);
	expect(await findTargetMove(world, {...state, session: null})).toEqual([]);
});
