import type {Context} from './view.ts';

/** Returns the item that the person is at in the inbox; the first one, once theirs is gone. */
export const rowOf = ({model, view}: Context): string => {
	const ids = model.state.items.map(({id}) => id);
	return view.row !== undefined && ids.includes(view.row) ? view.row : (ids[0] ?? '');
};
