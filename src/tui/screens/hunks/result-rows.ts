import type {ShownHunk} from '../../../rules/by-hand/hunk-lines.ts';
import {type HunkPick, type Part, partsOf} from '../../../rules/by-hand/steps.ts';
import {keyOf} from '../../action.ts';
import type {HunksInHand} from '../../model/hunks.ts';
import type {Context} from '../../model/view.ts';
import {paragraph, type Row, row, span} from '../../rows/row.ts';
import {wrapRow} from '../../rows/wrap-row.ts';
import {sideName} from '../items/conflict/conflict.ts';

/** Returns what a hunk becomes, line by line with whose it is; while it is unresolved, the keys that settle it. */
export const resultRows = (
	context: Context,
	hunks: HunksInHand,
	{number, hunk}: NonNullable<HunksInHand['at']>,
	columns: number,
): readonly Row[] => {
	const pick = hunks.standing.picks.get(number);
	if (pick === undefined) {
		return [
			[span('Result: ', 'strong'), span('✗ unresolved', 'warn')],
			...paragraph(hintOf(context), columns, 'dim'),
		];
	}

	const rows = partsOf(pick).flatMap(part => partRows(hunks, hunk, part));
	return [
		[span('Result: ', 'strong'), span(`✔ ${wordsOf(context, hunks, pick)}`, 'good')],
		...(rows.length === 0
			? [row('  (no lines)', 'dim')]
			: rows.flatMap(cells => wrapRow(cells, columns))),
	];
};

const hintOf = (context: Context): string => {
	const key = (action: string) => keyOf(context, action);
	return `${key('take-left')} left · ${key('take-right')} right · ${key('take-both')} left, then right · ${key('take-both-turned')} right, then left · ${key('take-base')} before · ${key('edit-hunk')} edit`;
};

const wordsOf = ({model}: Context, {item}: HunksInHand, {take}: HunkPick): string => {
	const [left, right] = [sideName(model.state, item, 'a'), sideName(model.state, item, 'b')];
	switch (take) {
		case 'left':
			return left;
		case 'right':
			return right;
		case 'base':
			return 'as before';
		case 'left-right':
			return `${left}, then ${right}`;
		case 'right-left':
			return `${right}, then ${left}`;
		case 'edited':
			return 'what you wrote';
	}
};

const signs = {left: '‹ ', base: '· ', right: '› ', edited: '✎ '} as const;

const partRows = ({file}: HunksInHand, hunk: ShownHunk, part: Part): readonly Row[] => {
	const lines = part.of === 'edited' ? (file.edited.get(part.content) ?? []) : hunk[part.of];
	return lines.map(text => [span(signs[part.of], 'info'), span(text.replaceAll('\t', '    '))]);
};
