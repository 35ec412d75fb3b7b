import type {Model} from '../../../client/model.ts';
import type {ItemOf} from '../../../state/item.ts';
import {agentOf} from '../../../state/select.ts';
import {bullets, paragraph, type Row, section} from '../../rows/row.ts';
import {aboutAgent} from './about-agent.ts';

export const scopeFacts = (
	model: Model,
	{agent, paths, reason}: ItemOf<'scope'>,
	columns: number,
): readonly Row[] => [
	...section(`${agent} wants to write outside its scope`, bullets(paths, columns, 'strong')),
	...section('Why', reason === '' ? [] : paragraph(reason, columns)),
	...aboutAgent(model, agentOf(model.state, agent), columns),
];
