import type {Model} from '../../../client/model.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import {quoted, quotedExactly} from '../../rows/quoted.ts';
import {type Row, section} from '../../rows/row.ts';
import {aboutAgent} from './about-agent.ts';

export const scopeFacts = (
	model: Model,
	{agent, paths, reason}: ItemOf<'scope'>,
	columns: number,
): readonly Row[] => [
	...section(
		`${agent} wants to write outside its scope`,
		paths.flatMap(path => quotedExactly(path, columns, 'strong')),
	),
	...section('Why', reason === '' ? [] : quoted(reason, columns)),
	...aboutAgent(model, agentOf(model.state, agent), columns),
];
