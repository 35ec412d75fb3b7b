import {mkdirSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {expect, onTestFinished, test, vi} from 'vitest';
import {later} from '../../../src/lib/text/duration.ts';
import type {State} from '../../../src/state/state.ts';
import type {Lookout} from '../../../src/supervisor/worktree/lookout.ts';
import {watch} from '../../../src/supervisor/worktree/watch.ts';
import {commitAll, git, write} from '../../helpers/repository.ts';
import {type AtWork, makeAtWork} from '../at-work.ts';

const files = {'src/a.txt': 'a\n', 'other.txt': 'other\n'};

const alwaysLook: Lookout = {
	isDue: async () => true,
	looked: () => {},
	keep: () => {},
	close: () => {},
};

type Armed = {readonly look: () => Promise<void>; readonly delayMs: number};

/** An agent at work, and a watch that looks when the test says so; each look seems to take half a second. */
const makeWatched = async (
	change: (state: State) => State = state => state,
	lookout: Lookout = alwaysLook,
) => {
	const atWork = await makeAtWork(files);
	mkdirSync(atWork.world.folder.journal, {recursive: true});
	atWork.begins();
	atWork.told.length = 0;
	const armed: Armed[] = [];
	let nowMs = 0;
	vi.stubGlobal('setTimeout', (look: Armed['look'], delayMs: number) => {
		armed.push({look, delayMs});
	});
	const performanceNow = vi.spyOn(performance, 'now').mockImplementation(() => {
		nowMs += 500;
		return nowMs;
	});
	onTestFinished(() => {
		vi.unstubAllGlobals();
		performanceNow.mockRestore();
	});
	const onGone = vi.fn();
	const append = vi.fn(atWork.world.append);
	const world = {...atWork.world, append};
	const stop = watch({
		...{world, state: () => change(atWork.state()), onGone},
		lookout,
	});
	return {
		...atWork,
		world,
		append,
		stop,
		onGone,
		/** Takes the look that is due, and returns how long the next one waits, in milliseconds. */
		look: async (): Promise<number | undefined> => {
			await armed.pop()?.look();
			return armed.at(-1)?.delayMs;
		},
		passMinutes: (minutes: number) => {
			atWork.clock.at = later(atWork.clock.at, minutes * 60_000);
		},
	};
};

const reasons = ({told}: AtWork): readonly string[] =>
	told.flatMap(body => (body.kind === 'snapshot.taken' ? [body.reason] : []));

test('a look that finds nothing tells nothing, and waits for ten times as long as it took', async () => {
	const {look, append} = await makeWatched();
	expect(await look()).toBe(5000);
	expect(append).not.toHaveBeenCalled();
});

test('two worktrees are never looked at at the same moment', async () => {
	let atOnce = 0;
	const most: number[] = [];
	const isDue = async (): Promise<boolean> => {
		most.push(++atOnce);
		await nextTurn();
		atOnce--;
		return false;
	};
	const withAnother = (state: State): State => ({
		...state,
		agents: state.agents.flatMap(agent => [agent, {...agent, id: 'AGT-002'}]),
	});
	const {look} = await makeWatched(withAnother, {...alwaysLook, isDue});
	await look();
	expect(most).toEqual([1, 1]);
});

test('a target that moved is told once', async () => {
	const {world, look, told} = await makeWatched();
	const {root} = world.repository;
	const from = git(root, 'rev-parse', 'HEAD');
	const to = commitAll(root, 'theirs');
	await look();
	await look();
	expect(told).toEqual([{kind: 'target.moved', from, to}]);
});

test('what an agent has changed so far is told as it changes, within its scope', async () => {
	const {look, tree, world} = await makeWatched();
	const changes = vi.spyOn(world.telemetry, 'write');
	write(tree, {'src/a.txt': 'one\n', 'src/b.txt': 'two\n', 'other.txt': 'mine\n'});
	await look();
	rmSync(join(tree, 'src/b.txt'));
	await look();
	await look();
	const told = {agent: 'AGT-001', turn: 1, kind: 'changed'};
	expect(changes.mock.calls).toEqual([
		[{...told, files: 2, paths: ['src/a.txt', 'src/b.txt']}],
		[{...told, files: 1, paths: ['src/a.txt']}],
	]);
});

test('work is pinned when a minute has passed since it last was, however often it is looked at', async () => {
	const watched = await makeWatched();
	write(watched.tree, {'src/a.txt': 'one\n'});
	await watched.look();
	await watched.look();
	expect(reasons(watched)).toEqual([]);
	watched.passMinutes(1);
	await watched.look();
	write(watched.tree, {'src/a.txt': 'two\n'});
	await watched.look();
	expect(reasons(watched)).toEqual(['a minute of change']);
	watched.passMinutes(1);
	write(watched.tree, {'src/a.txt': 'three\n'});
	await watched.look();
	expect(reasons(watched)).toHaveLength(2);
	const {commit} = watched.agent().snapshots.at(-1) ?? {};
	expect(git(watched.world.store.gitDir, 'show', `${commit}:src/a.txt`)).toBe('three');
});

test('a worktree in which nothing changes is not read again, and is pinned in time all the same', async () => {
	const due = {now: true};
	const watched = await makeWatched(undefined, {...alwaysLook, isDue: async () => due.now});
	const reads = vi.spyOn(watched.world, 'serially');
	write(watched.tree, {'src/a.txt': 'one\n'});
	await watched.look();
	expect(reads).toHaveBeenCalledOnce();
	due.now = false;
	await watched.look();
	expect(reads).toHaveBeenCalledOnce();
	expect(reasons(watched)).toEqual([]);
	watched.passMinutes(1);
	await watched.look();
	expect(reasons(watched)).toEqual(['a minute of change']);
});

test('a worktree that no look could be taken at for a minute fails its agent, with the cause', async () => {
	const watched = await makeWatched();
	const failed = () => watched.told.filter(({kind}) => kind === 'effect.failed');
	const away = `${watched.tree}.away`;
	renameSync(watched.tree, away);
	await watched.look();
	await watched.look();
	watched.passMinutes(1);
	await watched.look();
	renameSync(away, watched.tree);
	await watched.look();
	renameSync(watched.tree, away);
	await watched.look();
	watched.passMinutes(1);
	await watched.look();
	await watched.look();
	expect(failed()).toEqual([]);
	expect(watched.agent().state).toBe('RUNNING');
	await watched.look();
	expect(failed()).toHaveLength(1);
	expect(watched.agent().state).toBe('FAILED');
	expect(watched.told).toContainEqual(
		expect.objectContaining({
			...{kind: 'agent.moved', to: 'FAILED'},
			why: expect.stringMatching(/^its work could not be captured: .*is not a folder/),
		}),
	);
});

test('how long an agent may go without one is the session’s to say', async () => {
	const watched = await makeWatched();
	Object.assign(watched.world, {state: () => withCheckpoints(watched.state(), 120_000)});
	write(watched.tree, {'src/a.txt': 'one\n'});
	watched.passMinutes(1);
	watched.passMinutes(1);
	await watched.look();
	expect(reasons(watched)).toEqual(['a checkpoint after 2m']);
});

const withCheckpoints = (state: State, checkpointMs: number): State =>
	state.session === null
		? state
		: {
				...state,
				session: {...state.session, settings: {...state.session.settings, checkpointMs}},
			};

test('what left the scope is reverted, told, and looked for again sooner', async () => {
	const watched = await makeWatched();
	const {tree, look, told} = watched;
	write(tree, {'other.txt': 'edited\n'});
	expect(await look()).toBe(500);
	expect(readFileSync(join(tree, 'other.txt'), 'utf8')).toBe('other\n');
	expect(told).toMatchObject([
		{kind: 'snapshot.taken', reason: 'left its scope', outside: ['other.txt']},
		{kind: 'scope.left', path: 'other.txt', change: 'modified'},
	]);
	expect(await look()).toBe(5000);
	write(tree, {'other.txt': 'edited\n'});
	expect(await look()).toBe(500);
	expect(told.filter(({kind}) => kind === 'scope.left')).toHaveLength(2);
	expect(readFileSync(join(tree, 'other.txt'), 'utf8')).toBe('other\n');
});

test('a look that fails is taken again', async () => {
	const {tree, look, told, onGone} = await makeWatched();
	rmSync(tree, {recursive: true});
	expect(await look()).toBe(5000);
	expect(told).toEqual([]);
	expect(onGone).not.toHaveBeenCalled();
});

test('nothing is looked at before there is a worktree, nor pinned before its agent has begun', async () => {
	const before = await makeWatched(state => ({
		...state,
		agents: state.agents.map(agent => ({...agent, workspace: {phase: 'wanted' as const}})),
	}));
	write(before.tree, {'other.txt': 'edited\n'});
	await before.look();
	expect(before.told).toEqual([]);
	vi.unstubAllGlobals();
	const starting = await makeWatched(state => ({
		...state,
		agents: state.agents.map(({startedAt: _, ...agent}) => agent),
	}));
	write(starting.tree, {'src/a.txt': 'one\n'});
	starting.passMinutes(1);
	await starting.look();
	expect(starting.told).toEqual([]);
});

test('a turn that is over by the time of a look is not pinned as it is found', async () => {
	const earlier: {state?: State} = {};
	const watched = await makeWatched(now => earlier.state ?? now);
	earlier.state = watched.state();
	watched.ends();
	watched.told.length = 0;
	write(watched.tree, {'src/a.txt': 'one\n'});
	watched.passMinutes(1);
	await watched.look();
	expect(watched.told).toEqual([]);
});

test('nobody looks on when it is stopped in the middle of a look', async () => {
	const {look, stop} = await makeWatched();
	const looking = look();
	stop();
	expect(await looking).toBeUndefined();
});

test('when the session’s folder is gone there is nothing left to look at', async () => {
	const {world, look, onGone} = await makeWatched();
	rmSync(world.folder.path, {recursive: true});
	expect(await look()).toBeUndefined();
	expect(onGone).toHaveBeenCalledOnce();
});
