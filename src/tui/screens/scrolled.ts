import {meetingOf} from '../../rules/collision-matrix.ts';
import {shownItems} from '../../rules/inbox.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import {numbersRow, stateSpan, waitingRow} from '../formatting/agent-look.ts';
import {checkOf, checkSpan, type ShownCheck} from '../formatting/check-look.ts';
import {meetingSpan} from '../formatting/matrix-rows.ts';
import {inboxRow, listedItems} from '../model/open-item.ts';
import {filterOf} from '../model/searching.ts';
import {fileInSight} from '../model/unseen.ts';
import type {Context} from '../model/view.ts';
import {cutRow, fitted, type Row, ruleRow, span, widthOfRow} from '../rows/row.ts';
import {cut} from '../rows/text.ts';
import {bodyOf, positionInBody, rowsInSight} from './body.ts';
import {hunksTitle} from './hunk-rows.ts';
import {factsOf} from './items/facts.ts';
import {paneItemRows} from './pane-item.ts';

/** Returns a place that is one long list of rows: an agent's words or work, the log, findings, the help. */
export const scrolledView = (context: Context): readonly Row[] => {
	const {columns} = context.view.size;
	const body = bodyOf(context);
	return [
		ruleRow(columns, [...titleOf(context), ...filterSpans(context)], fileInSight(context, body)),
		...fitted(
			[...rowsInSight(context, body), ...previewRows(context, body.height - body.rows.length)],
			body.height,
		),
		bottomRule(context, positionInBody(context, body)),
	];
};

const fewestPreviewed = 6;

/** Returns the first facts of the selected item in the inbox, in the rows that the list leaves. */
const previewRows = (context: Context, height: number): readonly Row[] => {
	const {model, view} = context;
	const {columns} = view.size;
	const shown = listedItems(context).find(({id}) => id === inboxRow(context));
	const item = itemOf(model.state, shown?.id ?? '');
	if (view.place.at !== 'inbox' || !shown || !item || height < fewestPreviewed) {
		return [];
	}

	const rows =
		item.kind === 'question'
			? paneItemRows(model, item, {columns, height, isFocused: false})
			: factsOf(context, {item, shown}, {together: false}, columns - 2);
	return [
		ruleRow(columns, [span(shown.id, 'strong')]),
		...rows.map(cells => [span(' '), ...cells]),
	];
};

const bottomRule = (context: Context, position: Row): Row => {
	const {columns} = context.view.size;
	return ruleRow(columns, cutRow(atBottom(context), columns - widthOfRow(position) - 8), position);
};

const filterSpans = ({view}: Context): Row => {
	const words = filterOf(view);
	return words === '' ? [] : [span(`  with "${cut(words, 40)}"`, 'info')];
};

/** Returns the bottom row with the agent's current activity, visible at any scroll position. */
const atBottom = ({model, view: {place}}: Context): Row => {
	const agent = place.at === 'agent' ? agentOf(model.state, place.agent) : undefined;
	return agent === undefined ? [] : waitingRow(model, agent);
};

const titleOf = (context: Context): Row => {
	const {model, view} = context;
	const {place} = view;
	switch (place.at) {
		case 'agent': {
			const agent = agentOf(model.state, place.agent);
			const what = shownWords[place.show];
			return agent === undefined
				? [span(place.agent)]
				: [
						span(`${agent.id} `, 'strong'),
						stateSpan(model.state, agent),
						span(`  ${what}  `, 'info'),
						...numbersRow(agent, model),
					];
		}

		case 'hunks':
			return cutRow(hunksTitle(context, place), view.size.columns - 6);
		case 'answers':
			return [span('Questions and answers', 'strong')];
		case 'inbox':
			return [span('Inbox', 'strong'), span(`  ${shownItems(model.state).length} waiting`, 'dim')];
		case 'log':
			return [span('Log', 'strong')];
		case 'check':
			return checkTitle(checkOf(model));
		case 'findings':
			return [
				span(place.between.join(' and '), 'strong'),
				span('  '),
				meetingSpan(meetingOf(model.state, ...place.between)),
			];
		case 'help':
			return [span('Keys', 'strong')];
		case 'board':
		case 'matrix':
		case 'item':
		case 'questions':
		case 'plan':
			return [];
	}
};

const shownWords = {
	words: 'transcript',
	work: 'diff of its last snapshot',
	about: 'what is known of it',
} as const;

const checkTitle = (check: ShownCheck | undefined): Row => [
	span('The check of the merged result  ', 'strong'),
	...(check === undefined ? [] : [checkSpan(check)]),
	...(check?.phase === 'running' ? [span(`  ${check.command}`, 'info')] : []),
];
