import {meetingText} from '../formatting/matrix-rows.ts';
import {cellOf, columnNames, hasFindings, matrixCells, rowNames} from '../model/open-item.ts';
import {type Action, type Context, type Outcome, only, openPlace} from '../model/view.ts';

/** Actions in the matrix of conflicts. */
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
			return only(
				place.at === 'matrix' && between !== undefined
					? openPlace(context.view, {at: 'findings', between, back: {...place, cell: between}})
					: context.view,
			);
		},
	},
	{
		...{name: 'next-cell', keys: ['tab'], label: 'next'},
		help: 'go to the next pair',
		where: ['matrix'],
		run: context => along(context, 1),
	},
	{
		...{name: 'previous-cell', keys: ['shift+tab']},
		help: 'go to the previous pair',
		where: ['matrix'],
		run: context => along(context, -1),
	},
	...(
		[
			['right', 0, 1],
			['left', 0, -1],
			['down', 1, 0],
			['up', -1, 0],
		] as const
	).map(
		([direction, down, right]): Action => ({
			name: `cell-${direction}`,
			keys: [direction],
			help: `go ${direction} in the matrix`,
			where: ['matrix'],
			run: context => toCell(context, down, right),
		}),
	),
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
	const one = step(rowNames(state), row, down);
	const other = step(columnNames(state), column, right);
	return at(context, one === undefined || other === undefined ? undefined : [one, other]);
};

const step = (names: readonly string[], name: string | undefined, by: number): string | undefined =>
	names[Math.min(Math.max(0, names.indexOf(name ?? '') + by), names.length - 1)];

const at = ({view}: Context, cell: readonly [string, string] | undefined): Outcome =>
	only({...view, place: {at: 'matrix', cell}});
