import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {Body} from '../../events/event.ts';
import type {Effect} from '../../rules/effects/effect.ts';
import type {State} from '../../state/state.ts';
import {removeWithSlot} from '../machine/slots.ts';
import {checkTree, installsOf} from '../merging/check-tree.ts';
import {requireSession, type World} from '../world.ts';

type Verify = Extract<Effect, {do: 'verify'}>;

/** Runs the plan's checks on the built result. */
export const verify = async (
	world: World,
	state: State,
	{key, commit, tree}: Verify,
): Promise<readonly Body[]> => {
	const session = requireSession(state);
	const ended = {kind: 'verify.ended' as const, commit, tree};
	if (session.plan.verify.length === 0) {
		return [{...ended, ok: true, commands: [], log: null}];
	}

	// A person had exactly this checked before they chose it.
	const known = world.state().checkedTrees.find(one => one.tree === tree);
	const installs = installsOf(state);
	if (known?.ran !== undefined && installs.length === 0) {
		const {ok, ran, places} = known;
		return [{...ended, ok, ...ran, ...(places.length === 0 ? {} : {places})}];
	}

	// One at a time: what the others left may be removed then, and checks don't get in each other's way.
	return world.serially('verify', async () => {
		await removeChecks(world);
		const outcome = await checkTree(world, session, {key, name: state.seq, commit, installs});
		if (outcome === undefined) {
			return [];
		}

		const {places, ...rest} = outcome;
		return [{...ended, ...rest, ...(places.length === 0 ? {} : {places})}];
	});
};

/**
Removes the worktrees of checks that nobody runs any more; the logs stay.

A supervisor that was killed while it checked left its worktree behind. What is in it is the result that was checked, and what the checks made.
*/
export const removeChecks = async ({
	folder: {checks: folder},
	checks,
	slots,
}: Pick<World, 'folder' | 'checks' | 'slots'>): Promise<void> => {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	const left = entries
		.filter(entry => entry.isDirectory())
		.map(({name}) => join(folder, name))
		.filter(path => !checks.isBusy(path));
	await Promise.all(left.map(path => removeWithSlot(slots, path)));
};
