import type {Model} from '../../../client/model.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import {quotedExactly} from '../../rows/quoted.ts';
import {type Row, section} from '../../rows/row.ts';
import {aboutAgent} from './about-agent.ts';

export const permissionFacts = (
	model: Model,
	{agent, title, command, paths}: ItemOf<'permission'>,
	columns: number,
): readonly Row[] => [
	...section(`${agent} asks whether it may`, quotedExactly(title, columns, 'strong')),
	...section(
		'It would run',
		command === undefined || command === title ? [] : quotedExactly(command, columns, 'warn'),
	),
	...section(
		'Paths',
		paths.flatMap(path => quotedExactly(path, columns)),
	),
	...aboutAgent(model, agentOf(model.state, agent), columns),
];
