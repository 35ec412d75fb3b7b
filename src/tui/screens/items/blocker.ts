import type {Model} from '../../../client/model.ts';
import {valueLines} from '../../../lib/text/value-text.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import {quoted} from '../../rows/quoted.ts';
import {fact, type Row, section} from '../../rows/row.ts';
import {aboutAgent} from './about-agent.ts';

export const blockerFacts = (
	model: Model,
	{agent, details, said}: ItemOf<'blocker'>,
	columns: number,
): readonly Row[] => [
	...section(`${agent} is blocked`, quoted(details, columns, 'warn')),
	...section(
		'To go on it needs',
		said?.resume_requirements === undefined ? [] : quoted(said.resume_requirements, columns),
	),
	...section('What it says of that', [
		...fact('Kind', said?.blocker_type, columns),
		...fact('Why it stops', said?.stop_reason, columns),
		...fact('Blocked work', said?.blocked_work, columns),
	]),
	...section(
		'Where it stood',
		valueLines(said?.state_snapshot).flatMap(line => quoted(line, columns)),
	),
	...aboutAgent(model, agentOf(model.state, agent), columns),
];
