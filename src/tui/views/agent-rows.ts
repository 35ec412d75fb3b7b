import {diffRows} from '../rows/diff-rows.ts';
import {type Row, row} from '../rows/row.ts';
import type {Context, Place} from '../view/view.ts';
import {paperOf, workKey} from './items/work.ts';

/** All that one agent said, as far as it is kept, or the diff of its last snapshot. */
export const agentRows = (
	{model}: Context,
	{agent, show}: Extract<Place, {at: 'agent'}>,
): readonly Row[] => {
	if (show === 'work') {
		return diffRows(paperOf(model, workKey(model.state, agent)));
	}

	const lines = model.tails[agent] ?? [];
	return lines.length === 0
		? [row('It has said nothing yet.', 'dim')]
		: lines.map(line => row(line));
};
