import type {Model} from '../../../client/model.ts';
import {commandText} from '../../../client/texts/blocker-text.ts';
import {withoutColors} from '../../../lib/text/sanitize.ts';
import {valueLines} from '../../../lib/text/value-text.ts';
import type {ItemOf} from '../../../state/item.ts';
import {commandLogName} from '../../../state/items/blocker/command.ts';
import {agentOf} from '../../../state/select.ts';
import {quoted} from '../../rows/quoted.ts';
import {fact, type Row, row, section} from '../../rows/row.ts';
import {aboutAgent} from './about-agent.ts';

export const blockerFacts = (
	model: Model,
	item: ItemOf<'blocker'>,
	columns: number,
): readonly Row[] => {
	const {agent, details, said} = item;
	return [
		...section(`${agent} is blocked`, quoted(details, columns, 'warn')),
		...section(
			'To go on it needs',
			said?.resume_requirements === undefined ? [] : quoted(said.resume_requirements, columns),
		),
		...commandRows(model, item, columns),
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
};

/** A command that failed leaves the blocker open, with what it printed. */
const commandRows = (
	{tails}: Model,
	{id, command}: ItemOf<'blocker'>,
	columns: number,
): readonly Row[] => {
	if (command === undefined) {
		return [];
	}

	const lines = (tails[commandLogName(id, command)] ?? []).slice(1);
	const shown = lines.length === 0 && command.phase === 'failed' ? command.tail : lines;
	return section(commandText(command), [
		...(shown.length === 0 ? [row('It has printed nothing yet.', 'dim')] : []),
		...shown.slice(-20).flatMap(line => quoted(withoutColors(line), columns)),
	]);
};
