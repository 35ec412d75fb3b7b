import {type ItemOf, isOfKind, type Kind} from '../../state/item.ts';
import {offerOf} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {Decision} from './command.ts';

/** Returns the open item that a decision is about. */
export const decidedItem = <K extends Kind>(
	state: State,
	{item: id, on}: Decision<K>,
): ItemOf<K> | undefined => {
	const item = itemOf(state, id);
	return item !== undefined && isOfKind(item, on) ? item : undefined;
};

/** Returns whether a decision comes without the note that its choice needs; a patch says what is taken as well. */
export const lacksNote = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	{choice, note = '', patch, picked}: Decision<K>,
): boolean =>
	note.trim() === '' &&
	(patch ?? picked) === undefined &&
	offerOf<K>(state, item, choice)?.note === 'required';
