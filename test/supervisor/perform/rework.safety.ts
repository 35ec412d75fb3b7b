import {existsSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {changes} from '../../../src/git/tree/changes.ts';
import {lastSnapshot} from '../../../src/state/agent/agent.ts';
import type {State} from '../../../src/state/state.ts';
import {build} from '../../../src/supervisor/perform/build.ts';
import {rework} from '../../../src/supervisor/perform/rework.ts';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {subtask} from '../../helpers/plan.ts';
import {commitAll, git, write} from '../../helpers/repository.ts';
import {type AtWork, makeAtWork} from '../at-work.ts';

const scope = {allowed: ['src/**'], forbidden: []};
const agents = ['AGT-001', 'AGT-002'].map(id => subtask(id, {scope}));

/** What a person or an agent does in a folder. */
type Edit = (root: string) => void;

/** An agent with a snapshot of its work, and a commit that somebody else made on the same base. */
const makeWorked = async (files: Parameters<typeof makeAtWork>[0], own: Edit, other: Edit) => {
	const atWork = await makeAtWork(files, {agents});
	const {world, agent, believe, tree} = atWork;
	own(tree);
	believe(...(await capture(world, agent(), 'a test')));
	const {root} = world.repository;
	git(root, 'checkout', '--quiet', '--detach');
	other(root);
	return {...atWork, commit: commitAll(root)};
};

/** The state in which that commit is the work of the other agent. */
const withOther = ({state}: AtWork, commit: string): State => ({
	...state(),
	agents: state().agents.map(agent =>
		agent.id === 'AGT-001'
			? agent
			: {
					...agent,
					workspace: state().agents[0]?.workspace ?? agent.workspace,
					snapshots: (state().agents[0]?.snapshots ?? []).map(one => ({...one, work: commit})),
				},
	),
});

const textAt = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');

test('an agent gets another’s work under its own, and its changes are again only its own', async () => {
	const worked = await makeWorked(
		{'src/a.txt': 'a\n', 'src/b.txt': 'b\n'},
		root => write(root, {'src/a.txt': 'own\n'}),
		root => write(root, {'src/b.txt': 'other\n'}),
	);
	const {world, agent, tree} = worked;
	worked.told.length = 0;
	await rework(world, withOther(worked, worked.commit), agent(), ['AGT-002']);
	const bodies = [...worked.told];
	expect([textAt(tree, 'src/a.txt'), textAt(tree, 'src/b.txt')]).toEqual(['own\n', 'other\n']);
	expect(bodies).toMatchObject([
		{kind: 'workspace.prepared', agent: 'AGT-001', onto: ['AGT-002'], conflicts: []},
	]);
	const taken = (await capture(world, agent(), 'a test')).find(
		body => body.kind === 'snapshot.taken',
	);
	const [body] = bodies;
	const base = body?.kind === 'workspace.prepared' ? body.base : '';
	const own = await changes(world.store, base, taken?.work ?? '');
	expect(own.map(({status, path}) => `${status} ${path}`)).toEqual(['M src/a.txt']);
});

test('an agent finds markers only where its snapshots don’t apply to the other’s work', async () => {
	const path = 'src/both.txt';
	const lines = (top: string, end: string): string => `${top}\na\nb\nc\nd\ne\n${end}\n`;
	const worked = await makeWorked(
		{[path]: lines('top', 'end')},
		root => write(root, {[path]: lines('their top', 'end')}),
		root => write(root, {[path]: lines('their top', 'their end')}),
	);
	const {world, agent, believe, tree} = worked;
	for (const [top, end] of [
		['own top', 'end'],
		['own top', 'own end'],
	] as const) {
		write(tree, {[path]: lines(top, end)});
		believe(...(await capture(world, agent(), 'a test')));
	}

	await rework(world, withOther(worked, worked.commit), agent(), ['AGT-002']);
	expect(textAt(tree, path)).toMatch(/^own top\na\nb\nc\nd\ne\n<{7,} AGT-002\ntheir end\n/);
});

test('markers that an agent leaves are named in its review, and in the result that holds them', async () => {
	const path = 'src/both.txt';
	const worked = await makeWorked(
		{[path]: 'base\n'},
		root => write(root, {[path]: 'own\n'}),
		root => write(root, {[path]: 'other\n'}),
	);
	const {world, agent, believe, tree, state} = worked;
	await rework(world, withOther(worked, worked.commit), agent(), ['AGT-002']);
	believe(...worked.told);
	const notes = async () => {
		believe(...(await capture(world, agent(), 'a test')));
		const merged: State = {
			...state(),
			session: {...requireSession(state()), tip: worked.commit},
			agents: state().agents.map(one =>
				one.id === 'AGT-001'
					? {...one, state: 'COMPLETE', verdict: {kind: 'accepted', only: []}}
					: {...one, state: 'ABORTED'},
			),
		};
		const built = (await build(world, merged)).find(body => body.kind === 'merge.built');
		return [lastSnapshot(agent())?.notes, built?.notes].map(told =>
			told?.filter(note => note.includes('markers')),
		);
	};
	const remain = [`Conflict markers remain in ${path}.`];
	expect(await notes()).toEqual([remain, remain]);
	write(tree, {[path]: 'own and other\n'});
	expect(await notes()).toEqual([undefined, []]);
});

test('each kind of collision is left to the agent in its worktree, as far as it can be marked', async () => {
	const move = (root: string, from: string, to: string): void =>
		renameSync(join(root, from), join(root, to));
	const long = 'line\n'.repeat(20);
	const worked = await makeWorked(
		{
			...{'src/both.txt': 'base\n', 'src/other-deletes.txt': 'base\n'},
			...{'src/own-deletes.txt': 'base\n', 'src/moved.txt': long, 'src/binary': '\0base'},
		},
		root => {
			write(root, {'src/both.txt': 'own\n', 'src/other-deletes.txt': 'own\n'});
			write(root, {'src/binary': '\0own', 'src/added.txt': 'own\n'});
			rmSync(join(root, 'src/own-deletes.txt'));
			move(root, 'src/moved.txt', 'src/moved-own.txt');
		},
		root => {
			write(root, {'src/both.txt': 'other\n', 'src/own-deletes.txt': 'other\n'});
			write(root, {'src/binary': '\0other', 'src/added.txt': 'other\n'});
			rmSync(join(root, 'src/other-deletes.txt'));
			move(root, 'src/moved.txt', 'src/moved-other.txt');
		},
	);
	const {world, agent, tree} = worked;
	await rework(world, withOther(worked, worked.commit), agent(), ['AGT-002']);
	const body = worked.told.at(-1);
	const conflicts = body?.kind === 'workspace.prepared' ? body.conflicts.toSorted() : [];
	expect(conflicts).toEqual([
		...['src/added.txt', 'src/binary', 'src/both.txt', 'src/moved-other.txt'],
		...['src/moved-own.txt', 'src/moved.txt', 'src/other-deletes.txt', 'src/own-deletes.txt'],
	]);
	expect(textAt(tree, 'src/both.txt')).toMatch(
		/^<{15} AGT-002\nother\n\|{15} before\nbase\n={15}\nown\n>{15} AGT-001\n$/,
	);
	expect(textAt(tree, 'src/added.txt')).toMatch(
		/AGT-002\nother\n.* before\n=*\nown\n.* AGT-001\n$/,
	);
	expect(textAt(tree, 'src/own-deletes.txt')).toContain('other\n');
	expect(textAt(tree, 'src/other-deletes.txt')).toContain('own\n');
	expect(textAt(tree, 'src/binary')).toBe('\0own');
	expect(existsSync(join(tree, 'src/moved.txt'))).toBe(false);
	expect(textAt(tree, 'src/moved-own.txt')).toContain(long);
	git(tree, 'apply', join(dirname(tree), 'rework.patch'));
	expect(textAt(tree, 'src/both.txt')).toBe('own\n');
});

test('what collides with the target is marked as the target’s', async () => {
	const worked = await makeWorked(
		{'src/a.txt': 'base\n'},
		root => write(root, {'src/a.txt': 'own\n'}),
		root => write(root, {'src/a.txt': 'theirs\n'}),
	);
	const {world, state, agent, tree} = worked;
	const moved = {...state(), session: {...requireSession(state()), tip: worked.commit}};
	await rework(world, moved, agent(), []);
	expect(worked.told.at(-1)).toMatchObject({
		...{base: worked.commit, onto: [], conflicts: ['src/a.txt']},
	});
	expect(textAt(tree, 'src/a.txt')).toContain('<<<<<<<<<<<<<<< target\ntheirs\n');
});

test('who has no work, or no worktree, has nothing to bring in again', async () => {
	const {world, state, agent, believe} = await makeAtWork({'src/a.txt': 'a\n'});
	const why = {kind: 'internal', message: 'AGT-001 has no work to apply again.'};
	await expect(rework(world, state(), agent(), [])).rejects.toMatchObject(why);
	believe(...(await capture(world, agent(), 'a test')));
	const early = {...agent(), workspace: {phase: 'wanted' as const}};
	await expect(rework(world, state(), early, [])).rejects.toMatchObject(why);
});
