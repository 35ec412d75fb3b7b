import type {Model} from '../../client/model.ts';
import {comparisonTable} from '../../client/texts/reported-text.ts';
import {dueCheck} from '../../rules/effects/merging.ts';
import {type RivalDetail, rivalsDetail, rivalsWithSpent} from '../../state/rivals/rivals-detail.ts';
import {agentOf} from '../../state/select.ts';
import {cutRow, type Row, section, span, type Tone} from '../rows/row.ts';
import {padded, widthOf} from '../rows/text.ts';

/** Returns an agent's work beside those of its rivals, a row for each; nothing if it has none. */
export const rivalRows = (model: Model, id: string, columns: number): readonly Row[] => {
	const {rivals} = rivalsDetail(model.state, id);
	if (rivals === undefined) {
		return [];
	}

	const compared = rivalsWithSpent(rivals, agent => model.activities[agent]?.spent);
	const [head = [], ...lines] = comparisonTable(compared, agent => isBeingRun(model, agent));
	const widths = head.map((_, column) =>
		Math.max(...[head, ...lines].map(cells => widthOf(cells[column] ?? ''))),
	);
	const shown = fitting(widths, columns);
	const laidOut = (cells: readonly string[], tones: readonly Tone[]): Row =>
		cutRow(
			cells
				.slice(0, shown)
				.map((cell, column) =>
					span(
						`${column === 0 ? '' : '  '}${padded(cell, widths[column] ?? 0)}`,
						tones[column] ?? 'plain',
					),
				),
			columns,
		);
	return section('The same subtask, done by several', [
		laidOut(
			head,
			head.map(() => 'dim'),
		),
		...lines.map((cells, line) => laidOut(cells, tonesOf(rivals[line], id))),
	]);
};

/** Returns the number of columns that fit; the most important ones come first. */
const fitting = (widths: readonly number[], columns: number): number => {
	let left = columns + 2;
	const short = widths.findIndex(width => {
		left -= width + 2;
		return left < 0;
	});
	return short === -1 ? widths.length : Math.max(short, 1);
};

const isBeingRun = ({state}: Model, id: string): boolean => {
	const agent = agentOf(state, id);
	return agent !== undefined && dueCheck(state, agent) !== undefined;
};

const tonesOf = (rival: RivalDetail | undefined, id: string): readonly Tone[] => [
	rival?.agent === id ? 'strong' : 'plain',
	rival?.verify === 'passed' ? 'good' : rival?.verify === 'failed' ? 'bad' : 'dim',
	'plain',
	rival !== undefined && rival.outside + rival.wrong > 0 ? 'warn' : 'plain',
];
