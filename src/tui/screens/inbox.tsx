import {Box} from 'ink';
import type {Model} from '../../client/model.ts';

import {type InboxItem, inbox} from '../../rules/inbox.ts';
import {Rows} from '../components/rows.tsx';
import {Rule} from '../components/rule.tsx';
import {sessionPhaseSpan} from '../formatting/session-phase.ts';
import {rowOf} from '../model/open-item.ts';
import {type Row, row, span} from '../rows/row.ts';
import {cut, padded, wrapped} from '../rows/text.ts';
import type {ScreenProps} from './screen-props.ts';

/** One queue over all agents: everything that waits for the person, what is urgent first, then the oldest. */
export const Inbox = ({context, height}: ScreenProps) => {
	const {model, view} = context;
	const items = inbox(model.state);
	const at = items.findIndex(({id}) => id === rowOf(context));
	const room = height - 1;
	const offset = Math.max(0, Math.min(at - Math.floor(room / 2), items.length - room));
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Rule
				columns={view.size.columns}
				left={[span('Inbox', 'strong')]}
				right={[span(`${items.length} waiting`, 'dim')]}
			/>
			<Rows
				height={room}
				offset={offset}
				rows={
					items.length === 0
						? emptyRows(model, view.size.columns)
						: items.map((item, index) => itemRow(item, index === at, view.size.columns))
				}
			/>
		</Box>
	);
};

const emptyRows = (model: Model, columns: number): readonly Row[] => {
	if (model.trouble !== undefined) {
		return [row(''), row('  What waits for you now is not known.', 'bad')];
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
