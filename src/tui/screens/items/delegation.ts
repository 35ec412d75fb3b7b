import type {Model} from '../../../client/model.ts';
import {freePlaces} from '../../../rules/effects/places.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import {quoted} from '../../rows/quoted.ts';
import {fact, type Row, section} from '../../rows/row.ts';
import {aboutAgent} from './about-agent.ts';

export const delegationFacts = (
	model: Model,
	{agent, task, blocks, coordination}: ItemOf<'delegation'>,
	columns: number,
): readonly Row[] => {
	const places = freePlaces(model.state);
	return [
		...section(`${agent} wants another agent to do this`, quoted(task, columns, 'strong')),
		...section('What that means', [
			...fact(
				'Meanwhile',
				blocks ? `${agent} waits for it` : `${agent} goes on with its own work`,
				columns,
			),
			...fact('A place', places > 0 ? 'is free' : 'is not free; it waits for one', columns),
			...fact('Scope', `starts with that of ${agent}`, columns),
			...fact('To agree on', coordination, columns),
		]),
		...aboutAgent(model, agentOf(model.state, agent), columns),
	];
};
