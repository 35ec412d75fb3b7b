import type {ItemOf} from '../../state/item.ts';
import {optionsOf} from '../../state/items/question/answer.ts';
import {agentOf} from '../../state/select.ts';
import {byAmount, numbered} from '../action.ts';
import {waitingItem} from '../formatting/agent-look.ts';
import {inboxRow, listedItems, open} from '../model/open-item.ts';
import {fileAt, markedAsSeen, unreadRows} from '../model/unseen.ts';
import {
	type Action,
	type Context,
	type Outcome,
	openPlace,
	type View,
	withNotice,
} from '../model/view.ts';
import {bodyOf, headingsIn, scrollTo} from '../screens/body.ts';

/** Places in which the arrows don't select choices. */
const withoutChoices = ['agent', 'answers', 'hunks', 'log', 'check', 'findings', 'help'] as const;

const places = [...withoutChoices, 'item', 'questions'] as const;

/** Scrolls by a number of pages or rows, within the content. */
const scroll = (context: Context, by: (height: number) => number): Outcome => {
	const {view} = context;
	const body = bodyOf(context);
	const wanted = Math.min(Math.max(0, body.offset + by(body.height)), body.last);
	return {...view, scroll: scrollTo(view.place, body, wanted)};
};

const hasHeadings = (context: Context): boolean => headingsIn(bodyOf(context)).length > 0;

/** Actions that go to unread lines. */
export const unread: readonly Action[] = [
	{
		...{name: 'next-unread', keys: ['}'], label: 'unread'},
		help: 'scroll to the next added line that was never on the screen; without such a count, to the next file',
		where: ['item', 'agent'],
		when: hasHeadings,
		run: context =>
			bodyOf(context).diff === undefined ? toHeading(context, 1) : toUnread(context),
	},
];

export const marking: readonly Action[] = [
	{
		...{name: 'mark-file', keys: ['space'], label: 'seen'},
		help: 'mark the file in sight as seen, in all reviews until its lines change; again: take that back; where all of it was seen, go to the next file',
		where: ['item', 'agent'],
		when: context => fileAt(bodyOf(context)) !== undefined,
		run: context => {
			const part = fileAt(bodyOf(context));
			const marked = part && markedAsSeen(context.view, part);
			return marked === undefined ? toHeading(context, 1) : marked;
		},
	},
];

export const scrolling: readonly Action[] = [
	{
		...{name: 'page-down', keys: ['pageDown', 'space', 'ctrl+d'], label: 'scroll'},
		help: 'scroll down by a page',
		where: places,
		when: context => bodyOf(context).last > 0,
		run: context => scroll(context, height => height - 1),
	},
	...byAmount(places, (context, by: (height: number) => number) => scroll(context, by), [
		['page-up', ['pageUp', 'ctrl+u'], 'scroll up by a page', height => 1 - height],
		['row-down', ['j'], 'scroll down by a row', () => 1],
		['row-up', ['k'], 'scroll up by a row', () => -1],
	]),
	...byAmount(withoutChoices, (context, by: 1 | -1) => scroll(context, () => by), [
		['row-down-arrow', ['down'], 'scroll down by a row', 1],
		['row-up-arrow', ['up'], 'scroll up by a row', -1],
	]),
	...byAmount(places, (context, by: number) => scroll(context, () => by), [
		['top', ['home', 'g'], 'scroll to the top', Number.NEGATIVE_INFINITY],
		['bottom', ['end', 'G'], 'scroll to the end', Number.POSITIVE_INFINITY],
	]),
];

/** Goes to the unread lines after the visible ones, and from the end to the first ones. */
const toUnread = (context: Context): Outcome => {
	const {view} = context;
	const body = bodyOf(context);
	const {diff, offset} = body;
	const rows = diff === undefined ? [] : unreadRows(view, body).map(([from]) => from + diff.from);
	const next = rows.find(row => row > offset) ?? rows[0];
	return next === undefined
		? withNotice(view, 'good', 'Each added line that is shown here was on the screen.')
		: {...view, scroll: scrollTo(view.place, body, Math.min(next, body.last))};
};

/** Actions that go from file to file, from agent to agent, from item to item. */
export const moving: readonly Action[] = [
	...byAmount(
		['item', 'agent'],
		(context, by: 1 | -1) => toHeading(context, by),
		[
			['next-file', ['J'], 'scroll to the next file of the diff', 1, 'next file'],
			['previous-file', ['{', 'K'], 'scroll to the previous file', -1],
		],
		{when: hasHeadings},
	),
	...byAmount(['board'], (context, by: 1 | -1) => toAgent(context, by), [
		['next-agent', ['right', 'down', 'tab'], 'go to the next agent', 1, 'agent'],
		['previous-agent', ['left', 'up', 'shift+tab'], 'go to the previous agent', -1],
	]),
	{
		...{name: 'zoom', keys: ['Z']},
		help: 'give the pane that you are at the whole board; again: all panes',
		where: ['board'],
		when: ({model}) => model.state.agents.length > 1,
		run: ({view}) => ({...view, isZoomed: !view.isZoomed}),
	},
	...numbered('answer', number => ({
		help: `go to option ${number} of this agent’s question`,
		where: ['board'],
		when: context => number <= optionsHere(context).length,
		run: context => toOption(context, number - 1),
	})),
	...numbered('agent', number => ({
		help: `go to agent ${number}`,
		where: ['board', 'agent'],
		when: ({model}) => number <= model.state.agents.length,
		run: ({model, view}) => atAgent(view, model.state.agents[number - 1]?.id),
	})),
	...byAmount(['agent'], (context, by: 1 | -1) => toAgent(context, by), [
		['agent-after', ['tab'], 'look into the next agent', 1],
		['agent-before', ['shift+tab'], 'look into the previous agent', -1],
	]),
	...byAmount(['inbox'], (context, by: 1 | -1) => toItem(context, by), [
		['next-item', ['down', 'j'], 'go to the next one', 1],
		['previous-item', ['up', 'k'], 'go to the previous one', -1],
	]),
];

/** Returns the question of the agent that is selected on the board. */
const questionHere = ({model: {state}, view}: Context): ItemOf<'question'> | undefined => {
	const agent = agentOf(state, view.agent ?? '') ?? state.agents[0];
	const item = agent && waitingItem(state, agent);
	return item?.kind === 'question' ? item : undefined;
};

const optionsHere = (context: Context): readonly string[] => {
	const item = questionHere(context);
	return item === undefined ? [] : optionsOf(item.question);
};

/** Opens the question with an option selected, which Enter then takes: a person must see it in full before a key decides. */
const toOption = (context: Context, cursor: number): Outcome => {
	const view = open(context, questionHere(context)?.id ?? '');
	const {place} = view;
	return place.at === 'item' || place.at === 'questions'
		? {...view, place: {...place, cursor}}
		: view;
};

const toItem = (context: Context, by: number): Outcome => {
	const ids = listedItems(context).map(({id}) => id);
	return {...context.view, row: neighbour(ids, inboxRow(context), by)};
};

const toAgent = ({model, view}: Context, by: number): Outcome => {
	const ids = model.state.agents.map(({id}) => id);
	const {place} = view;
	const here = place.at === 'agent' ? place.agent : (view.agent ?? ids[0]);
	return atAgent(view, neighbour(ids, here, by));
};

/** Selects another agent; from an agent's view, opens the other's view. */
const atAgent = (view: View, agent: string | undefined): View => {
	const {place} = view;
	const isOther = place.at === 'agent' && agent !== undefined && agent !== place.agent;
	return {...(isOther ? openPlace(view, {...place, agent}) : view), agent};
};

/** Returns the id at a distance from another one, at most the first or the last. */
export const neighbour = (
	ids: readonly string[],
	id: string | undefined,
	by: number,
): string | undefined => ids[Math.min(Math.max(0, ids.indexOf(id ?? '') + by), ids.length - 1)];

const toHeading = (context: Context, by: 1 | -1): Outcome => {
	const body = bodyOf(context);
	const {offset} = body;
	const headings = headingsIn(body);
	const target =
		by === 1 ? headings.find(index => index > offset) : headings.findLast(index => index < offset);
	return scroll(context, () => (target ?? offset) - offset);
};
