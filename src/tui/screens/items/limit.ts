import type {Model} from '../../../client/model.ts';
import {formatDuration} from '../../../lib/text/duration.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import {paragraph, type Row, section} from '../../rows/row.ts';
import {aboutAgent} from './about-agent.ts';
import {workedMs} from './work.ts';

export const limitFacts = (
	model: Model,
	{agent: id, of}: ItemOf<'limit'>,
	columns: number,
): readonly Row[] => {
	const agent = agentOf(model.state, id);
	if (of === 'start') {
		return [
			...section(
				`${id} has not started yet`,
				paragraph(
					'Its worktree is still being made and set up. It goes on by itself when that is done.',
					columns,
				),
			),
			...aboutAgent(model, agent, columns),
		];
	}

	const spent =
		agent === undefined
			? ''
			: `It has worked ${formatDuration(workedMs(agent, model.now))} of ${formatDuration(agent.timeoutMs)}. It is paused and its work is pinned; nothing is lost whichever you choose.`;
	return [
		...section(`${id} has used up its time`, paragraph(spent, columns)),
		...aboutAgent(model, agent, columns),
	];
};
