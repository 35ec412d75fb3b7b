import {keyText} from '../../../client/resources/resources.ts';
import {keyOf} from '../../action.ts';
import {type HunksInHand, trailKey} from '../../model/hunks.ts';
import type {Context} from '../../model/view.ts';
import {blank, paragraph, type Row, row} from '../../rows/row.ts';

/** Returns what led to the lines of a hunk, side by side of the conflict. */
export const trailRows = (
	context: Context,
	{item, at}: HunksInHand,
	columns: number,
): readonly Row[] => {
	const {model, view} = context;
	const resource = model.resources[keyText(trailKey(view, item.id, at?.number ?? 0))];
	const back = row(`${keyOf(context, 'trail')} goes back to the hunk.`, 'dim');
	switch (resource?.phase) {
		case 'ready':
			return [...resource.lines.flatMap(line => lineRows(line, columns)), blank, back];
		case 'failed':
			return [...paragraph(resource.why, columns, 'warn'), back];
		default:
			return [row('Looking for who wrote these lines …', 'dim')];
	}
};

/** What is not indented is about a side as a whole. */
const lineRows = (line: string, columns: number): readonly Row[] =>
	line === ''
		? [blank]
		: line.startsWith('  ')
			? paragraph(line.trimStart(), columns - 2).map(
					(cells): Row => [{text: '  ', tone: 'plain'}, ...cells],
				)
			: paragraph(line, columns, 'strong');
