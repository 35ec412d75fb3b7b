import {checkTail} from '../../client/files/tails.ts';
import {withoutColors} from '../../lib/text/sanitize.ts';
import type {Context} from '../model/view.ts';
import {paragraph, type Row, row} from '../rows/row.ts';

/** What the check of the merged result printed, as far as it is kept, the commands in it made to stand out. */
export const checkRows = ({model, view}: Context): readonly Row[] => {
	const lines = model.tails[checkTail] ?? [];
	const {columns} = view.size;
	return lines.length === 0
		? [row('It has printed nothing yet.', 'dim')]
		: lines.flatMap(line => lineRows(withoutColors(line), columns));
};

/** Nobody can scroll to the right, and what a test expected stands far behind. */
const lineRows = (line: string, columns: number): readonly Row[] => {
	const tone = line.startsWith('$ ') ? 'strong' : 'plain';
	return line.length <= columns ? [row(line, tone)] : paragraph(line, columns, tone);
};
