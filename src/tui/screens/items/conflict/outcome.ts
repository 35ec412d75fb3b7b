import type {Model} from '../../../../client/model.ts';
import {withoutColors} from '../../../../lib/text/sanitize.ts';
import type {ItemOf} from '../../../../state/item.ts';
import {outcomeCheckName} from '../../../../state/items/conflict/outcome-check.ts';
import {checkingOf} from '../../../../state/items/conflict/words.ts';
import type {Context, ItemPlace} from '../../../model/view.ts';
import {paragraph, type Row, row, section} from '../../../rows/row.ts';
import {changeRows} from '../work/change-rows.ts';
import {resourceOf} from '../work/work.ts';
import {choiceInSight, outcomeKey} from './resources.ts';

type Conflict = ItemOf<'conflict'>;

/** What the path of a conflict becomes with the choice that the person has gone to, before anything is decided. */
export const conflictOutcome = (
	{model, view}: Context,
	item: Conflict,
	place: ItemPlace,
	columns: number,
): readonly Row[] => {
	const {state} = model;
	const inSight = choiceInSight(state, item, place);
	if (inSight === undefined) {
		return paragraph('Go to a choice with ↑ and ↓ to see what it comes to.', columns, 'dim');
	}

	const resource = resourceOf(model, outcomeKey(state, view, item, inSight));
	const {choice} = inSight;
	const words = resource.phase === 'ready' ? (resource.preview?.words ?? []) : [];
	return [
		...checkRows(model, item, choice),
		...section(
			'All work together with it',
			words.flatMap(text => paragraph(text, columns)),
		),
		...section(
			`${state.session?.target ?? 'The target'} after this choice: ${choice}`,
			changeRows(resource, columns),
		),
	];
};

/** The last that a running check of this outcome printed. */
const checkRows = ({tails}: Model, item: Conflict, choice: string): readonly Row[] => {
	const checking = checkingOf(item, choice);
	if (checking === undefined || checking.result !== undefined) {
		return [];
	}

	const lines = (tails[outcomeCheckName(checking)] ?? []).slice(-mostLines);
	return section('Its check is running', [
		...(lines.length === 0
			? [row('It has printed nothing yet.', 'dim')]
			: lines.map(line => row(withoutColors(line)))),
	]);
};

const mostLines = 4;
