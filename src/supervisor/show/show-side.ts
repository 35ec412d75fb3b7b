import {entriesAt} from '../../git/tree/entry.ts';
import type {ItemOf} from '../../state/item.ts';
import {type BreakageItem, isBreakage, pathsOf} from '../../state/items/breakage.ts';
import {agentOf, lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {requireSession} from '../require-session.ts';
import type {Works} from '../world.ts';
import {pathPatch} from './path-patch.ts';
import type {Shown} from './show.ts';

/** Returns what one side of a conflict did since the state that both began with: to its path, or to all at which it shows. */
export const showSide = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
	side: 'a' | 'b',
): Promise<Shown> => {
	if (isBreakage(item)) {
		return {text: await sideOfBreakage(works, state, item, side)};
	}

	const {path, stages} = item;
	const text = await pathPatch(works.store, path, [stages.base, stages[side]]);
	return stages.base === null && stages[side] === null
		? {text, remark: 'There is nothing at this path on this side.'}
		: {text};
};

const sideOfBreakage = async (
	{store}: Works,
	state: State,
	item: BreakageItem,
	side: 'a' | 'b',
): Promise<string> => {
	const paths = pathsOf(item, side);
	const patches: string[] = [];
	for (const [from, to] of item[side].flatMap(owner => workOf(state, owner))) {
		const [before, after] = [
			await entriesAt(store, from, paths),
			await entriesAt(store, to, paths),
		];
		for (const path of paths) {
			patches.push(await pathPatch(store, path, [before.get(path), after.get(path)]));
		}
	}

	return patches.join('');
};

const workOf = (state: State, owner: string): readonly (readonly [string, string])[] => {
	if (owner === 'target') {
		const {base, tip} = requireSession(state);
		return [[base, tip]];
	}

	const agent = agentOf(state, owner);
	const snapshot = agent && lastSnapshot(agent);
	return snapshot === undefined ? [] : [[snapshot.ground.base, snapshot.work]];
};
