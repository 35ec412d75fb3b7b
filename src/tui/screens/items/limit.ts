import type {Model} from '../../../client/model.ts';
import {countText} from '../../../client/texts/spent-text.ts';
import {formatDuration} from '../../../lib/text/duration.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import type {ItemOf} from '../../../state/item.ts';
import {isNear, type LimitItem} from '../../../state/items/limit.ts';
import {kindOf} from '../../../state/items.ts';
import {agentOf} from '../../../state/select.ts';
import {bullets, paragraph, type Row, section} from '../../rows/row.ts';
import {aboutAgent} from './about-agent.ts';
import {workedMs} from './work/work.ts';

export const limitFacts = (
	model: Model,
	item: ItemOf<'limit'>,
	columns: number,
): readonly Row[] => {
	const {agent: id, of, said} = item;
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

	const spent = agent === undefined ? '' : `${spentText(agent, of, model)} ${standsText(item)}`;
	return [
		...section(kindOf(item).title(model.state, item), paragraph(spent, columns)),
		...section('It says', bullets(saidLines(said), columns)),
		...aboutAgent(model, agent, columns),
	];
};

/** What it did by its own word, as far as it said that at its limit. */
const saidLines = (said: LimitItem['said']): readonly string[] =>
	said === undefined
		? []
		: [
				...(said.progress === undefined ? [] : [`${said.progress} % done`]),
				...said.changes.map(({file, action, description}) =>
					[action, file, description].filter(word => word !== undefined).join(' '),
				),
			];

const spentText = (agent: Agent, of: LimitItem['of'], model: Model): string => {
	switch (of) {
		case 'tokens':
		case 'tokens-near':
			return `It has used ${countText(agent.tokens ?? 0)} of ${countText(agent.tokenBudget ?? 0)} tokens.`;
		case 'work':
		case 'near':
		case 'start':
			return `It has worked ${formatDuration(workedMs(agent, model))} of ${formatDuration(agent.timeoutMs)}.`;
		case 'turns':
			return `It began ${agent.turnsInVain} turns since you last said something to it; each left its worktree as it was, or was cut off.`;
	}
};

const standsText = (item: LimitItem): string =>
	isNear(item)
		? 'It goes on while you decide; if you do nothing, it is paused when all is used up.'
		: 'It is paused and its work is pinned; nothing is lost whichever you choose.';
