import {pathToShow} from '../../../state/items/conflict/paths.ts';
import {hunksAt} from '../../model/hunks.ts';
import type {Context, HunksPlace} from '../../model/view.ts';
import {type Row, type Span, span} from '../../rows/row.ts';

/** Returns which file it is, how many of its hunks are unresolved, and at which one the person is. */
export const hunksTitle = (
	{model, view}: Pick<Context, 'model' | 'view'>,
	place: HunksPlace,
): Row => {
	const hunks = hunksAt({model, view}, place);
	if (hunks.phase !== 'ready') {
		return [span(`${place.item} by hand`, 'strong')];
	}

	const {item, file, at, unresolved} = hunks;
	const total = file.hunks.length;
	return [
		span(`${item.id} `, 'strong'),
		total === 0 ? span('') : countSpan(unresolved.length, total),
		at === undefined ? span('') : span(`hunk ${at.number + 1} of ${total}  `, 'info'),
		span(`${pathToShow(item)}${at === undefined ? '' : `:${at.hunk.line}`}`, 'strong'),
		span(at?.hunk.section === undefined ? '' : `  ${at.hunk.section}`, 'dim'),
	];
};

const countSpan = (open: number, total: number): Span =>
	open === 0
		? span(`✔ 0 of ${total} unresolved  `, 'good')
		: span(`✗ ${open} of ${total} unresolved  `, 'warn');
