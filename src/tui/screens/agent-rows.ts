import {agentOf} from '../../state/select.ts';
import type {Context, Place} from '../model/view.ts';
import {diffRows} from '../rows/diff-rows.ts';
import {type Row, row} from '../rows/row.ts';
import {factsOfAgent} from './facts-of-agent.ts';
import {filesIn, marksOfWork, resourceOf, shownWorkKey} from './items/work/work.ts';
import {storyRows} from './story-rows.ts';

/** All that one agent said and did, as far as it is kept, the diff of its last snapshot, or what is known of it. */
export const agentRows = (
	{model, view}: Context,
	{agent: id, show}: Extract<Place, {at: 'agent'}>,
): readonly Row[] => {
	if (show === 'work') {
		const shown = shownWorkKey(model.state, id, view);
		return diffRows(resourceOf(model, shown), view.size.columns - 2, {
			marks: marksOfWork(model.state, id),
			files: filesIn(model, shown),
		});
	}

	const agent = agentOf(model.state, id);
	if (show === 'about') {
		return agent === undefined ? [] : factsOfAgent(model, agent, view.size.columns);
	}

	const rows = agent === undefined ? [] : storyRows(model, agent, view.size.columns);
	return rows.length === 0 ? [row('It has said nothing yet.', 'dim')] : rows;
};
