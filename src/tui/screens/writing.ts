import {type Draft, draftLines} from '../model/draft.ts';
import {fitted, type Row, row, span, writtenRow} from '../rows/row.ts';
import {writingColumns} from './item-layout.ts';

/**
Returns a text field of several lines; the cursor is drawn, so that it is visible in any terminal.

@param label Name of the text.
*/
export const writingView = (
	label: string,
	draft: Draft,
	{columns, height}: {readonly columns: number; readonly height: number},
): readonly Row[] => {
	const {lines, row: at, index: cursor} = draftLines(draft, writingColumns(columns));
	const room = Math.max(1, height - 1);
	const offset = Math.max(0, Math.min(at - Math.floor(room / 2), lines.length - room));
	const written = lines.map((line, index) => [
		span('  '),
		...writtenRow(line, index === at ? cursor : undefined),
	]);
	return fitted([row(label, 'heading'), ...fitted(written, room, offset)], height);
};
