import type {Store} from '../../git/store/store.ts';
import {changes} from '../../git/tree/changes.ts';
import {graft} from '../../git/tree/graft.ts';
import {patch, patchInTwo} from '../../git/tree/patch.ts';
import type {PlanCommands} from '../../rules/surface/named-by-commands.ts';
import {surfacingsOf} from '../worktree/surface-in.ts';

/**
Returns what leads from one commit to another as a unified diff, what runs by itself or leads elsewhere before all else.

People read the beginning of what is long, and of what is very long a screen fetches no more. Each half is a diff of its own, so a move out of the surface is told as what it is: something of the surface goes.
*/
export const patchSurfaceFirst = async (
	store: Store,
	from: string,
	to: string,
	commands: PlanCommands,
): Promise<string> => {
	const changed = await changes(store, from, to);
	const surface = changed.filter(change => surfacingsOf(change, commands).length > 0);
	return surface.length === 0 || surface.length === changed.length
		? patch(store, from, to)
		: patchInTwo(store, [from, await graft(store, {onto: from, changes: surface}), to]);
};
