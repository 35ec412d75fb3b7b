import type {Model} from '../../../client/model.ts';
import type {InboxItem} from '../../../rules/inbox.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import {fact, paragraph, type Row, row, section} from '../../rows/row.ts';
import {rivalRows} from '../rival-rows.ts';
import {endOf, updateRows} from './about-agent.ts';
import {claimsTable, noteRows, outsideRows, workClaims, workRows} from './work/claims.ts';

/** Returns a finished agent's report beside git's facts, and what its work omits. */
export const reviewFacts = (
	model: Model,
	{agent: id, trouble}: ItemOf<'review'>,
	shown: InboxItem,
	columns: number,
): readonly Row[] => {
	const agent = agentOf(model.state, id);
	if (agent === undefined) {
		return [];
	}

	const {report} = agent;
	return [
		...section('Open again', trouble === undefined ? [] : paragraph(trouble, columns, 'warn')),
		...noteRows(shown, columns),
		...rivalRows(model, id, columns),
		...fact('Subtask', agent.subtask.subtask, columns, 'strong'),
		...fact('Goal', agent.subtask.goal, columns),
		row(''),
		...claimsTable(
			[
				{
					about: 'Result',
					says: report?.status ?? agent.why,
					found: endOf(agent) ?? '–',
					tone: 'plain',
				},
				...workClaims(model, agent),
			],
			columns,
		),
		...workRows(model, agent, columns),
		...outsideRows(agent, columns),
		...updateRows(agent, columns),
	];
};
