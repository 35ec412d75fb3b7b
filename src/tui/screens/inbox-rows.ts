import type {Model} from '../../client/model.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import {sessionPhaseSpan} from '../formatting/agent-look.ts';
import {inboxRow, listedItems} from '../model/open-item.ts';
import {filterOf} from '../model/searching.ts';
import type {Context} from '../model/view.ts';
import {type Row, row, span} from '../rows/row.ts';
import {cut, padded, wrapped} from '../rows/text.ts';

/** Returns the inbox over all agents, a row for each item. */
export const inboxRows = (context: Context): readonly Row[] => {
	const {model, view} = context;
	const {columns} = view.size;
	const items = listedItems(context);
	const here = inboxRow(context);
	return items.length > 0
		? items.map(item => itemRow(item, item.id === here, columns))
		: filterOf(view) === ''
			? emptyRows(model, columns)
			: [row('Nothing that waits for you holds these words.', 'dim')];
};

const emptyRows = (model: Model, columns: number): readonly Row[] => {
	if (model.trouble !== undefined) {
		return [row(''), row('  It is not known what waits for you now.', 'bad')];
	}

	const {text, tone} = sessionPhaseSpan(model) ?? span(atWork, 'dim');
	return [
		row(''),
		row('  Nothing waits for you.', 'good'),
		...wrapped(text, columns - 2).map(line => row(`  ${line}`, tone)),
	];
};

const atWork = 'The agents go on by themselves; what needs you will come here.';

const itemRow = (item: InboxItem, isHere: boolean, columns: number): Row => {
	const {id, kind, agent, title} = item;
	const urgent = item.kind === 'question' && item.urgent === true ? 'urgent  ' : '';
	const text = `${isHere ? '▸' : ' '} ${padded(id, 6)}${padded(kind, 12)}${padded(agent ?? '', 9)}`;
	return isHere
		? [span(padded(`${text}${urgent}${title}`, columns), 'selected')]
		: [
				span(text, kind === 'failure' || kind === 'conflict' ? 'warn' : 'plain'),
				span(urgent, 'bad'),
				span(cut(title, columns - 29 - urgent.length)),
			];
};
