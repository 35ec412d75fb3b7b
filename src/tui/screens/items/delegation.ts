import type {Model} from '../../../client/model.ts';
import {judgedDelegation, judgedText} from '../../../client/texts/judged-delegation.ts';
import {itemContextIn} from '../../../rules/item-context.ts';
import type {ItemOf} from '../../../state/item.ts';
import {delegation} from '../../../state/items/delegation/delegation.ts';
import {agentOf} from '../../../state/select.ts';
import {quoted} from '../../rows/quoted.ts';
import {fact, type Row, section} from '../../rows/row.ts';
import {aboutAgent} from './about-agent.ts';

/** What the rules say of it, beside what the asker is at. */
export const delegationFacts = (
	model: Model,
	item: ItemOf<'delegation'>,
	columns: number,
): readonly Row[] => {
	const {state} = model;
	const {agent, task} = item;
	const judged = judgedDelegation({agent, ...delegation.detail(state, item, itemContextIn(state))});
	return [
		...section(`${agent} wants another agent to do this`, quoted(task, columns, 'strong')),
		...section(
			'What the rules say',
			judged.flatMap(one =>
				fact(one.about, judgedText(one), columns, one.holds === false ? 'warn' : 'plain'),
			),
		),
		...aboutAgent(model, agentOf(state, agent), columns),
	];
};
