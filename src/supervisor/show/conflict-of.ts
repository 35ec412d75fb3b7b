import {Failure} from '../../lib/failure.ts';
import type {ItemOf} from '../../state/item.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';

/**
Returns an open conflict.

@throws `Failure` of kind `refused` when there is none of that id
*/
export const conflictOf = (state: State, id: string): ItemOf<'conflict'> => {
	const item = itemOf(state, id);
	if (item?.kind !== 'conflict') {
		throw new Failure('refused', `There is no conflict ${id}; it was decided, or it is gone.`);
	}

	return item;
};
