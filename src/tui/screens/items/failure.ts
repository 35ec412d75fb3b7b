import type {Model} from '../../../client/model.ts';
import {counted} from '../../../lib/text/counted.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import {keyOf} from '../../action.ts';
import type {Context} from '../../model/view.ts';
import {fact, paragraph, type Row, section} from '../../rows/row.ts';
import {rivalRows} from '../rival-rows.ts';
import {aboutAgent} from './about-agent.ts';
import {endOf} from './turn-end.ts';
import {updateRows} from './update-rows.ts';
import {claimsTable} from './work/claims.ts';
import {workClaims, workFiles} from './work/work-claims.ts';

export const failureFacts = (
	context: Pick<Context, 'model' | 'table'>,
	{agent: id, why}: ItemOf<'failure'>,
	columns: number,
): readonly Row[] => {
	const {model} = context;
	const agent = agentOf(model.state, id);
	return [
		...section(`${id} failed`, paragraph(why, columns, 'bad')),
		...rivalRows(model, id, columns),
		...section('How it ended', [
			...fact('Process', agent && endOf(agent), columns),
			...fact('Last error', agent && lastErrorOf(agent), columns),
			...fact('Snapshots', agent && counted(agent.snapshots.length, 'snapshot'), columns),
		]),
		...(agent === undefined ? [] : saidRows(model, agent, columns)),
		...section(
			'With another agent',
			paragraph(
				`${keyOf(context, 'restart-failed-as')} has it start over as a profile that you name; its worktree stays.`,
				columns,
			),
		),
		...aboutAgent(model, agent, columns),
	];
};

/** What one says of its work that reports a failure, or half of a success. */
const saidRows = (model: Model, agent: Agent, columns: number): readonly Row[] => [
	...(claimsAnything(agent)
		? [...claimsTable(workClaims(model, agent), columns), ...workFiles(model, agent, columns)]
		: []),
	...updateRows(agent, columns),
];

const claimsAnything = ({report}: Agent): boolean =>
	report !== undefined && (report.deliverables.length > 0 || report.metrics_achieved !== undefined);

const lastErrorOf = ({turn}: Agent): string | undefined =>
	turn.phase === 'ended' ? turn.lastError : undefined;
