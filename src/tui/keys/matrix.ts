import {byAmount} from '../action.ts';
import {meetingText} from '../formatting/matrix-rows.ts';
import {cellOf, columnNames, hasFindings, matrixCells, rowNames} from '../model/open-item.ts';
import {type Action, type Context, type Outcome, openPlace} from '../model/view.ts';
import {neighbour} from './moving.ts';

export const matrix: readonly Action[] = [
	{
		...{name: 'findings', keys: ['enter'], label: 'findings'},
		help: 'list the findings there, with the lines of both sides',
		where: ['matrix'],
		whyNot: context => {
			const {state} = context.model;
			const cell = cellHere(context);
			return cell !== undefined && hasFindings(state, cell) ? undefined : meetingText(state, cell);
		},
		run: context => {
			const {place} = context.view;
			const between = cellHere(context);
			return place.at === 'matrix' && between !== undefined
				? openPlace(context.view, {at: 'findings', between, back: {...place, cell: between}})
				: context.view;
		},
	},
	...byAmount(['matrix'], (context, by: 1 | -1) => along(context, by), [
		['next-cell', ['tab'], 'go to the next pair', 1, 'next'],
		['previous-cell', ['shift+tab'], 'go to the previous pair', -1],
	]),
	...byAmount(['matrix'], (context, by: readonly [number, number]) => toCell(context, ...by), [
		['cell-right', ['right'], 'go right in the matrix', [0, 1]],
		['cell-left', ['left'], 'go left in the matrix', [0, -1]],
		['cell-down', ['down'], 'go down in the matrix', [1, 0]],
		['cell-up', ['up'], 'go up in the matrix', [-1, 0]],
	]),
];

const cellHere = ({model, view}: Context) =>
	view.place.at === 'matrix' ? cellOf(model.state, view.place) : undefined;

const along = (context: Context, by: 1 | -1): Outcome => {
	const cells = matrixCells(context.model.state);
	const here = cells.findIndex(cell => `${cell}` === `${cellHere(context)}`);
	return at(context, cells[(here + by + cells.length) % cells.length]);
};

const toCell = (context: Context, down: number, right: number): Outcome => {
	const {state} = context.model;
	const [row, column] = cellHere(context) ?? [];
	const one = neighbour(rowNames(state), row, down);
	const other = neighbour(columnNames(state), column, right);
	return at(context, one === undefined || other === undefined ? undefined : [one, other]);
};

const at = ({view}: Context, cell: readonly [string, string] | undefined): Outcome => ({
	...view,
	place: {at: 'matrix', cell},
});
