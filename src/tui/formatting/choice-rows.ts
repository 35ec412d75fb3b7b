import type {ShownChoice} from '../../rules/inbox.ts';
import type {Kind} from '../../state/item.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {actionsHere} from '../action.ts';
import type {Action, Context, Dialog, View} from '../model/view.ts';
import {cutRow, paragraph, type Row, span, widthOfRow} from '../rows/row.ts';
import {cut, widthOf, wrapped} from '../rows/text.ts';
import {goesOn} from '../rows/wrap-row.ts';
import {isNarrow, isShort} from '../terminal/full-screen.ts';
import {keySign} from '../terminal/key-name.ts';

/** Maximum number of rows of a choice; a longer one is cut, and its own view shows all of it. */
const maximumRows = 3;

/**
Returns a choice as the rows that it needs: an option of a question may be a whole sentence.

The text beside it is cut to one row, so that one choice doesn't push another off the screen.
*/
export const choiceRows = (choice: Row, beside: Row, columns: number): readonly Row[] => {
	const rows = cutRows(wrappedChoice(choice, columns), columns);
	const last = rows.at(-1) ?? [];
	return [...rows.slice(0, -1), [...last, ...cutRow(beside, columns - widthOfRow(last))]];
};

/** Wraps the name of a choice, its last span, between words; further rows are aligned below it. */
const wrappedChoice = (choice: Row, columns: number): readonly Row[] => {
	const lead = choice.slice(0, -1);
	const [{text, tone} = span('')] = choice.slice(-1);
	const before = Math.max(widthOfRow(lead), goesOn.length);
	return wrapped(text, columns - before).map((line, at) => [
		...(at === 0 ? lead : [span(goesOn.padStart(before), 'dim')]),
		span(line, tone),
	]);
};

const cutRows = (rows: readonly Row[], columns: number): readonly Row[] =>
	rows.length <= maximumRows
		? rows
		: [
				...rows.slice(0, maximumRows - 1),
				...rows
					.slice(maximumRows - 1, maximumRows)
					.map(cells => cutRow([...cells, span(' …')], columns)),
			];

/** Columns of the cursor, the key and the mark before a choice. */
const leadColumns = 6;

/** Returns whether a choice takes more than one row. */
export const isLongChoice = (choice: string, columns: number): boolean =>
	widthOf(choice) > columns - leadColumns;

/** Returns the name of a choice on the screen: the typed form if it is one word, otherwise its label. */
export const choiceName = (state: State, kind: Kind, one: NamedChoice): string =>
	kind === 'question' || !/^[a-z-]+:/.test(one.choice) ? one.choice : choiceWords(state, kind, one);

/** Returns the name of a choice in a list: its label if there is no room for both. */
export const listedName = (state: State, kind: Kind, one: NamedChoice, columns: number): string =>
	isNarrow(columns) && kind !== 'question'
		? choiceWords(state, kind, one)
		: choiceName(state, kind, one);

/** Returns the label of a choice, with the subtask of the first agent in it. */
export const choiceWords = (state: State, kind: Kind, {label}: NamedChoice): string =>
	kind === 'question'
		? label
		: label.replace(/AGT-\d+/, id => {
				const part = agentOf(state, id)?.subtask.subtask;
				return part === undefined ? id : `${id} ‘${cut(part, titleColumns)}’`;
			});

type NamedChoice = Pick<ShownChoice, 'choice' | 'label'>;

/** Columns of an agent's subtask in the name of a choice. */
const titleColumns = 20;

export const heightOfChoices = (names: readonly string[], columns: number): number =>
	names
		.map(name => choiceRows([span(' '.repeat(leadColumns)), span(name)], [], columns).length)
		.reduce((sum, rows) => sum + rows, 0);

const keyColumns = 16;

/** Returns an action's keys and description, with the reason if it is unavailable. Numbered keys are listed once. */
export const keyRows = (
	context: Context,
	{keys, help, whyNot}: Pick<Action, 'keys' | 'help' | 'whyNot'>,
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

type Confirm = Extract<Dialog, {kind: 'confirm'}>;

/** Returns whether a question fits into the window with its keys: a person must not confirm a cut text. */
export const isWhole = ({size}: View, {question}: Confirm): boolean =>
	wrapped(question, size.columns - 2).length <= size.rows - (isShort(size) ? 2 : 7);

/** Returns a question and below it the keys that answer it. */
export const questionRows = (context: Context, dialog: Confirm): readonly Row[] => [
	...(isWhole(context.view, dialog)
		? paragraph(dialog.question, context.view.size.columns - 2, 'warn')
		: paragraph('Make this window larger to read and answer the question.', 38, 'warn')),
	actionsHere(context)
		.filter(({where, label}) => where[0] === 'confirming' && label !== undefined)
		.map(({keys, label}) => span(`${keySign(keys[0] ?? '')} ${label}   `, 'key')),
];
