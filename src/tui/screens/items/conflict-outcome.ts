import type {ItemOf} from '../../../state/item.ts';
import type {Context, ItemPlace} from '../../model/view.ts';
import {paragraph, type Row, section} from '../../rows/row.ts';
import {changeRows} from './change-rows.ts';
import {choiceInSight, outcomeKey} from './conflict-papers.ts';
import {paperOf} from './work.ts';

/** What the path of a conflict becomes with the choice that the person has gone to, before anything is decided. */
export const conflictOutcome = (
	{model, view}: Context,
	item: ItemOf<'conflict'>,
	place: ItemPlace,
	columns: number,
): readonly Row[] => {
	const {state} = model;
	const choice = choiceInSight(state, item, place);
	if (choice === undefined) {
		return paragraph('Go to a choice with ↑ and ↓ to see what it comes to.', columns, 'dim');
	}

	const paper = paperOf(model, outcomeKey(state, view, item, choice));
	const words = paper.phase === 'ready' ? (paper.preview?.words ?? []) : [];
	return [
		...section(
			'All work together with it',
			words.flatMap(text => paragraph(text, columns)),
		),
		...section(
			`${state.session?.target ?? 'The target'} after this choice: ${choice}`,
			changeRows(paper, columns),
		),
	];
};
