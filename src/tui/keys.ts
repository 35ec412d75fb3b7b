import type {Action} from './action.ts';
import {choiceActions} from './keys/choices.ts';
import {moving} from './keys/moving.ts';
import {playing} from './keys/playing.ts';
import {session} from './keys/session.ts';
import {writing} from './keys/writing.ts';

/**
Everything a person can do, with its keys.

The one place that bindings, footer, help and documentation are made from; the first action that fits a key is the one it means.
*/
export const actions: readonly Action[] = [
	...writing,
	...playing,
	...choiceActions,
	...session,
	...moving,
];

/** Returns the table with the keys that the config gives; a name that is none changes nothing. */
export const withKeys = (own: Readonly<Record<string, string>>): readonly Action[] =>
	actions.map(action => {
		const key = own[action.name];
		return key === undefined ? action : {...action, keys: [key]};
	});
