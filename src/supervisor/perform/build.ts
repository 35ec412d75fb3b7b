import type {FileConflict} from '../../conflicts/combine.ts';
import type {Body} from '../../events/event.ts';
import type {Scope} from '../../events/plan.ts';
import {identity} from '../../git/repository/identity.ts';
import {commitTree} from '../../git/store/store.ts';
import {changes} from '../../git/tree/changes.ts';
import {Failure} from '../../lib/failure.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {judge} from '../../state/agent/scope.ts';
import type {ItemOf} from '../../state/item.ts';
import {acceptedAgents} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {fitResult} from '../merging/fit-result.ts';
import {heldBack, seeSettings} from '../merging/git-settings.ts';
import {holdCommit} from '../merging/hold-commit.ts';
import {putTogether} from '../merging/put-together.ts';
import {requireMovable} from '../merging/require-movable.ts';
import {targetMove} from '../merging/target-move.ts';
import {requireSession} from '../require-session.ts';
import {surfaceIn} from '../worktree/surface-in.ts';
import type {World} from '../world.ts';

/** Puts all accepted work together on the target's tip, or tells what collides. */
export const build = async (world: World, state: State): Promise<readonly Body[]> => {
	const combination = await putTogether(world, state);
	const open = state.items.filter(item => item.kind === 'conflict');
	if (combination.kind === 'conflicts') {
		return conflictsFound(combination.conflicts, open, state);
	}

	return [
		...open.map(({id}): Body => ({kind: 'conflict.gone', conflict: id})),
		await built(world, state, acceptedAgents(state), combination.tree),
	];
};

const built = async (
	world: World,
	state: State,
	agents: readonly Agent[],
	tree: string,
): Promise<Body> => {
	const {tip, plan, target} = requireSession(state);
	await requireMovable(world.repository, target);
	const changed = await changes(world.store, tip, tree);
	requireInScope(
		changed.map(({path}) => path),
		agents,
		state,
	);
	// Before anything of the person's own is started, which a filter would be.
	const gitSettings = await seeSettings(world, state);
	const held = await heldBack(world, state, gitSettings, {tip, tree, changes: changed});
	if (held !== undefined) {
		return held;
	}

	const fit = await fitResult(world, {tip, tree, changes: changed});
	const surface = await surfaceIn(world.store, fit.changes, plan);
	const commit =
		fit.changes.length === 0
			? tip
			: await commitTree(world.store, {
					tree: fit.tree,
					parents: [tip],
					message: messageOf(plan.task, agents),
					at: world.now(),
					identity: await identity(world.repository),
				});
	await holdCommit(world, state, 'result', commit);
	const moved = await targetMove(world, state);
	return {
		kind: 'merge.built',
		commit,
		tree: fit.tree,
		tip,
		agents: agents.map(({id}) => id),
		files: fit.changes.length,
		...(surface.length === 0 ? {} : {surface}),
		...(fit.notes.length === 0 ? {} : {notes: fit.notes}),
		gitSettings,
		...(moved === undefined ? {} : {moved}),
	};
};

/**
The last gate before a person is asked: whatever the way here was, nobody's result holds more than scopes allow.

A file that a person resolved by hand may be in nobody's scope, but what no agent may ever write stays out all the same.
*/
const requireInScope = (paths: readonly string[], agents: readonly Agent[], state: State): void => {
	const byHand = new Set(
		state.resolutions.flatMap(({choice, path}) => (choice === 'manual' ? [path] : [])),
	);
	const isExempt = (path: string) => byHand.has(path) && judge(everything, path) === 'allowed';
	const stray = paths.find(
		path =>
			!isExempt(path) && !agents.some(({subtask}) => judge(subtask.scope, path) === 'allowed'),
	);
	if (stray !== undefined) {
		throw new Failure('refused', `The result would change ${stray}, which is in nobody's scope.`);
	}
};

/** The widest scope there can be: it leaves out only what is forbidden to every agent. */
const everything: Scope = {allowed: ['**'], forbidden: []};

const messageOf = (task: string, agents: readonly Agent[]): string =>
	[
		task,
		'',
		...agents.map(({id, subtask}) => `- ${id}: ${subtask.subtask}`),
		'',
		'Merged-by: delegate-tui',
		'',
	].join('\n');

type Open = readonly ItemOf<'conflict'>[];

/** What was known already stays as it is; what is no longer found is gone. */
const conflictsFound = (
	found: readonly FileConflict[],
	open: Open,
	state: State,
): readonly Body[] => {
	const fresh = found.filter(conflict => !open.some(item => isSame(item, conflict)));
	const gone = open.filter(item => !found.some(conflict => isSame(item, conflict)));
	const first = (state.counts.c ?? 0) + 1;
	const kept = open.filter(item => !gone.includes(item)).map(({id}) => id);
	return [
		...gone.map(({id}): Body => ({kind: 'conflict.gone', conflict: id})),
		...fresh.map((conflict): Body => ({kind: 'conflict.found', ...conflict})),
		{
			kind: 'merge.blocked',
			conflicts: [...kept, ...fresh.map((_, position) => `c-${first + position}`)],
		},
	];
};

const isSame = (item: Open[number], conflict: FileConflict): boolean =>
	JSON.stringify([item.path, item.a, item.b, item.stages]) ===
	JSON.stringify([conflict.path, conflict.a, conflict.b, conflict.stages]);
