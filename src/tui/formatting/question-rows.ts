import {actionsHere} from '../action.ts';
import type {Context, Dialog} from '../model/view.ts';
import {paragraph, type Row, span} from '../rows/row.ts';
import {keySign} from '../terminal/key-name.ts';

/** Returns what a person is asked whether they mean it, and below it the keys that answer. */
export const questionRows = (
	context: Context,
	{question}: Extract<Dialog, {kind: 'confirm'}>,
): readonly Row[] => [
	...paragraph(question, context.view.size.columns - 2, 'warn'),
	actionsHere(context)
		.filter(({where, label}) => where[0] === 'confirming' && label !== undefined)
		.map(({keys, label}) => span(`${keySign(keys[0] ?? '')} ${label}   `, 'key')),
];
