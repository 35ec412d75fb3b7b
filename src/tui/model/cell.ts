import {meetingOf} from '../../rules/collision-matrix.ts';
import type {State} from '../../state/state.ts';
import type {MatrixPlace} from './view.ts';

/** An agent, and who its work is compared with: another agent or `target`. */
export type Cell = readonly [string, string];

/** Returns who stands in the rows of the matrix. */
export const rowNames = ({agents}: State): readonly string[] => agents.map(({id}) => id);

/** Returns who stands in its columns. */
export const columnNames = (state: State): readonly string[] => [...rowNames(state), 'target'];

/** Returns the cell that the person is at; until they have gone to one, the first with findings, else the first one. */
export const cellOf = (state: State, {cell}: MatrixPlace): Cell | undefined => {
	if (cell !== undefined) {
		return cell;
	}

	const cells = cellsOf(state);
	return cells.find(one => hasFindings(state, one)) ?? cells[0];
};

/** Returns all cells of two different sides, row by row. */
export const cellsOf = (state: State): readonly Cell[] =>
	rowNames(state).flatMap(one =>
		columnNames(state)
			.filter(other => other !== one)
			.map((other): Cell => [one, other]),
	);

/** Returns whether there is anything to list of a cell. */
export const hasFindings = (state: State, cell: Cell): boolean => {
	const meeting = meetingOf(state, ...cell);
	return meeting.standing === 'compared' && meeting.findings.length > 0;
};
