import type {Model} from '../../../client/model.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import {quoted} from '../../rows/quoted.ts';
import {type Row, section} from '../../rows/row.ts';
import {aboutAgent} from './about-agent.ts';

export const blockerFacts = (
	model: Model,
	{agent, details, wanted}: ItemOf<'blocker'>,
	columns: number,
): readonly Row[] => [
	...section(`${agent} is blocked`, quoted(details, columns, 'warn')),
	...section('To go on it needs', wanted === undefined ? [] : quoted(wanted, columns)),
	...aboutAgent(model, agentOf(model.state, agent), columns),
];
