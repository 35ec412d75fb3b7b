import type {ItemOf} from '../../state/item.ts';
import type {Works} from '../world.ts';
import {pathPatch} from './path-patch.ts';
import type {Shown} from './show.ts';

/** Returns what one side of a conflict did to its path since the state that both began with. */
export const showSide = async (
	{store}: Works,
	{path, stages}: ItemOf<'conflict'>,
	side: 'a' | 'b',
): Promise<Shown> => {
	const text = await pathPatch(store, path, [stages.base, stages[side]]);
	return stages.base === null && stages[side] === null
		? {text, remark: 'There is nothing at this path on this side.'}
		: {text};
};
