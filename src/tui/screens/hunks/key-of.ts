import type {Context} from '../../model/view.ts';
import {keySign} from '../../terminal/key-name.ts';

/** Returns the key of an action, as it is written for people. */
export const keyOf = ({table}: Pick<Context, 'table'>, action: string): string =>
	keySign(table.find(({name}) => name === action)?.keys[0] ?? '');
