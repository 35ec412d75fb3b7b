import {counted} from '../../lib/text/counted.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import type {RivalDetail} from '../../state/rivals/rivals-detail.ts';
import {spentTexts} from './spent-text.ts';

/**
Returns rivals beside each other as a table, its head first: what the checks say of each, how much it changed, what is wrong with it, time and cost.

What decides most comes first, since a narrow screen shows the first columns alone.
*/
export const comparisonTable = (
	rivals: readonly RivalDetail[],
	isBeingRun: (agent: string) => boolean = () => false,
): readonly (readonly string[])[] => [
	['agent', 'check', 'size', 'findings', 'time', 'cost', 'state', 'by'],
	...rivals.map(rival => [
		rival.agent,
		isBeingRun(rival.agent) ? 'being run' : rival.verify,
		`${counted(rival.files, 'file')} +${rival.added} −${rival.removed}`,
		findingsText(rival),
		formatDuration(rival.worked_ms),
		[...spentTexts({cost: rival.cost}), ...spentTexts({tokens: rival.tokens})].join(', ') ||
			'unknown',
		rival.state,
		rival.by,
	]),
];

/** Returns rivals beside each other as lines of text. */
export const comparisonLines = (rivals: readonly RivalDetail[]): readonly string[] => {
	const lines = comparisonTable(rivals);
	const widthAt = (column: number): number =>
		Math.max(...lines.map(cells => cells[column]?.length ?? 0));
	return lines.map(cells =>
		cells
			.map((cell, column) => cell.padEnd(widthAt(column)))
			.join('  ')
			.trimEnd(),
	);
};

const findingsText = ({outside, wrong}: RivalDetail): string =>
	[
		...(outside === 0 ? [] : [`${outside} outside`]),
		...(wrong === 0 ? [] : [`${counted(wrong, 'claim')} wrong`]),
	].join(', ') || 'none';
