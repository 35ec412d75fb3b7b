import type {ItemOf} from '../../state/item.ts';
import {isBreakage, pathsOf} from '../../state/items/conflict/breakage.ts';
import {fileFolderClashIn} from '../../state/items/conflict/paths.ts';
import {agentOf, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {requireSession} from '../require-session.ts';
import type {Works} from '../world.ts';
import {patchBelow, pathPatch} from './path-patch.ts';
import type {Shown} from './show.ts';

/** Returns what one side of a conflict did since the state that both began with: to its path, or to all at which it shows. */
export const showSide = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
	side: 'a' | 'b',
): Promise<Shown> => {
	if (isBreakage(item)) {
		return {text: await sideAt(works, state, item[side], pathsOf(item, side))};
	}

	const clash = fileFolderClashIn(item);
	if (clash?.other === side) {
		return {text: await sideAt(works, state, item[side], [clash.path])};
	}

	const {path, stages} = item;
	const text = await pathPatch(works.store, clash?.path ?? path, [stages.base, stages[side]]);
	return stages.base === null && stages[side] === null
		? {text, remark: 'There is nothing at this path on this side.'}
		: {text};
};

const sideAt = async (
	{store}: Works,
	state: State,
	owners: readonly string[],
	paths: readonly string[],
): Promise<string> => {
	const works = owners.flatMap(owner => workOf(state, owner));
	return (await Promise.all(works.map(work => patchBelow(store, work, paths)))).join('');
};

/** Returns what a side's work leads from and to. */
export const workOf = (state: State, owner: string): readonly (readonly [string, string])[] => {
	if (owner === 'target') {
		const {base, tip} = requireSession(state);
		return [[base, tip]];
	}

	const agent = agentOf(state, owner);
	const snapshot = agent && lastSnapshot(agent);
	return snapshot === undefined ? [] : [[snapshot.startingPoint.base, snapshot.work]];
};
