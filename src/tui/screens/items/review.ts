import type {Model} from '../../../client/model.ts';
import {collisionWords} from '../../../rules/collisions.ts';
import {lastSnapshot} from '../../../state/agent/agent.ts';
import {workNotes} from '../../../state/agent/work-notes.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import {surfaceRows} from '../../formatting/check-look.ts';
import {bullets, fact, paragraph, type Row, row, section} from '../../rows/row.ts';
import {rivalRows} from '../rival-rows.ts';
import {endOf, updateRows} from './about-agent.ts';
import {claimsTable, outsideRows, workClaims, workFiles} from './work/claims.ts';

/** What a finished agent delivered: its report beside what git found, and what it left outside. */
export const reviewFacts = (
	model: Model,
	{agent: id, trouble}: ItemOf<'review'>,
	columns: number,
): readonly Row[] => {
	const agent = agentOf(model.state, id);
	if (agent === undefined) {
		return [];
	}

	const {report} = agent;
	const snapshot = lastSnapshot(agent);
	return [
		...section('Open again', trouble === undefined ? [] : paragraph(trouble, columns, 'warn')),
		...surfaceRows(snapshot?.surface, columns),
		...section('Collides', bullets(collisionWords(model.state, id), columns, 'warn')),
		...rivalRows(model, id, columns),
		...fact('Subtask', agent.subtask.subtask, columns, 'strong'),
		...fact('Goal', agent.subtask.goal, columns),
		row(''),
		...claimsTable(
			[
				{
					about: 'Ended',
					says: report?.status ?? agent.why,
					found: endOf(agent) ?? '–',
					tone: 'plain',
				},
				...workClaims(model, agent),
			],
			columns,
		),
		...workFiles(model, agent, columns),
		...section('Worth a look', bullets(workNotes(agent), columns, 'warn')),
		...outsideRows(agent, columns),
		...updateRows(agent, columns),
	];
};
