import type {Action} from '../action.ts';
import {type Row, span} from '../rows/row.ts';
import {wrapped} from '../rows/text.ts';
import {keySign} from '../terminal/key-name.ts';

/** Columns of the keys. */
const keyColumns = 16;

/** Returns what keys do, beside them; where they can't be used now, with why. Numbered keys are told once. */
export const keyRows = <Known>(
	context: Known,
	{keys, help, whyNot}: Pick<Action<Known>, 'keys' | 'help' | 'whyNot'>,
	columns: number,
): readonly Row[] => {
	const refused = whyNot?.(context);
	const can = refused === undefined;
	const signs = /^\d$/.test(keys[0] ?? '') ? '1–9' : keys.map(keySign).join(' ');
	return wrapped(can ? help : `${help}  (unavailable: ${refused})`, columns - keyColumns).map(
		(line, index): Row => [
			span((index === 0 ? `  ${signs}` : '').padEnd(keyColumns), can ? 'key' : 'dim'),
			span(line, can ? 'plain' : 'dim'),
		],
	);
};
