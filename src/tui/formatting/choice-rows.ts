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

/** The most rows of one choice; a longer one is cut, and its view tells it whole. */
const maximumRows = 3;

/**
Returns a choice as the rows that it takes: an option of a question may be a whole sentence, each word of which matters.

What stands beside it is cut to one row, so that one choice doesn't push another out of sight.
*/
export const choiceRows = (choice: Row, beside: Row, columns: number): readonly Row[] => {
	const rows = cutRows(wrappedChoice(choice, columns), columns);
	const last = rows.at(-1) ?? [];
	return [...rows.slice(0, -1), [...last, ...cutRow(beside, columns - widthOfRow(last))]];
};

/** Breaks the name of a choice, which stands last, between words; what goes on with it stands below it. */
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

/** Returns how a choice is called on the screen: as it is typed where that is one word, and else in words. */
export const choiceName = (state: State, kind: Kind, one: NamedChoice): string =>
	kind === 'question' || !/^[a-z-]+:/.test(one.choice) ? one.choice : choiceWords(state, kind, one);

/** Returns the name of a choice in a list of them: where there is no room for words beside it, these are its name. */
export const listedName = (state: State, kind: Kind, one: NamedChoice, columns: number): string =>
	isNarrow(columns) && kind !== 'question'
		? choiceWords(state, kind, one)
		: choiceName(state, kind, one);

/** Returns what a choice comes to, in words, with the part of the agent that these name first. */
export const choiceWords = (state: State, kind: Kind, {label}: NamedChoice): string =>
	kind === 'question'
		? label
		: label.replace(/AGT-\d+/, id => {
				const part = agentOf(state, id)?.subtask.subtask;
				return part === undefined ? id : `${id} ‘${cut(part, titleColumns)}’`;
			});

type NamedChoice = Pick<ShownChoice, 'choice' | 'label'>;

/** Columns of the part of an agent in the name of a choice. */
const titleColumns = 20;

/** Returns how many rows choices with these names take. */
export const heightOfChoices = (names: readonly string[], columns: number): number =>
	names
		.map(name => choiceRows([span(' '.repeat(leadColumns)), span(name)], [], columns).length)
		.reduce((sum, rows) => sum + rows, 0);

const keyColumns = 16;

/** Returns what keys do, beside them; where they can't be used now, with why. Numbered keys are told once. */
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

/** Whether the window has room for all of a question, the keys for which stand in the last row, too: nobody says yes to what is cut. */
export const isWhole = ({size}: View, {question}: Confirm): boolean =>
	wrapped(question, size.columns - 2).length <= size.rows - (isShort(size) ? 2 : 7);

/** Returns what a person is asked whether they mean it, and below it the keys that answer. */
export const questionRows = (context: Context, dialog: Confirm): readonly Row[] => [
	...(isWhole(context.view, dialog)
		? paragraph(dialog.question, context.view.size.columns - 2, 'warn')
		: paragraph('Make this window larger to read and answer the question.', 38, 'warn')),
	actionsHere(context)
		.filter(({where, label}) => where[0] === 'confirming' && label !== undefined)
		.map(({keys, label}) => span(`${keySign(keys[0] ?? '')} ${label}   `, 'key')),
];
