import type {Model} from '../../../client/model.ts';
import {formatDuration} from '../../../lib/text/duration.ts';
import {thisMoment} from '../../../lib/this-moment.ts';
import {whyOf} from '../../../rules/limit-wait.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {spoken} from '../../formatting/spoken.ts';
import {quoted} from '../../rows/quoted.ts';
import {fact, type Row, section} from '../../rows/row.ts';
import {scopeRows} from './plan.ts';
import {foundFiles, outsideRows} from './work/claims.ts';
import {workedMs} from './work/work.ts';

/** What is known of the agent that an item is about, its last words included. */
export const aboutAgent = (
	model: Model,
	agent: Agent | undefined,
	columns: number,
): readonly Row[] => {
	if (agent === undefined) {
		return [];
	}

	return [
		...section(agent.id, [
			...fact('Subtask', agent.subtask.subtask, columns),
			...fact('Goal', agent.subtask.goal, columns),
			...scopeRows(agent.subtask, columns),
			...fact(
				'State',
				`${agent.state}: ${whyOf(model.state, agent, thisMoment(model.now))}`,
				columns,
			),
			...fact('Has worked', formatDuration(workedMs(agent, model)), columns),
			...fact('Changed', foundFiles(model, agent), columns),
		]),
		...outsideRows(agent, columns),
		...section(
			'Its last words',
			spoken(model.tails[agent.id] ?? [], 'reported here')
				.slice(-8)
				.flatMap(({text}) => quoted(text, columns, 'dim')),
		),
	];
};
