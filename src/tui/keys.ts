import {type Action, withOwnKeys} from './action.ts';
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

/** Returns the table with the keys that the config gives. */
export const withKeys = (own: Readonly<Record<string, string>>): readonly Action[] =>
	withOwnKeys(actions, own);
