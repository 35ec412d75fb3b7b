import {takenBeside} from '../../model/pick-parts.ts';
import {pickingAt} from '../../model/picking.ts';
import type {Context, PickingPlace} from '../../model/view.ts';
import {type Row, span} from '../../rows/row.ts';

/** Returns whose work it is, how many of its parts are taken, and at which one the person is. */
export const pickingTitle = (
	context: Pick<Context, 'model' | 'view'>,
	place: PickingPlace,
): Row => {
	const picking = pickingAt(context, place);
	if (picking.phase !== 'ready') {
		return [span(`${place.item} in parts`, 'strong')];
	}

	const {item, parts, at, agent} = picking;
	const taken = parts.filter(part => part.taken).length;
	const beside = takenBeside(context).map(other => `, ${other.count} of ${other.agent}`);
	return [
		span(
			`${item.id} ${item.agent}${agent === item.agent ? '' : ` with parts of ${agent}`}  `,
			'strong',
		),
		span(`${taken} of ${parts.length} taken`, taken === 0 ? 'info' : 'good'),
		span(`${beside.join('')}  `, 'good'),
		span(at === undefined ? '' : `part ${at.number + 1} of ${parts.length}`, 'info'),
	];
};
