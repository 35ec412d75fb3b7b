import {oncePer} from '../../lib/values.ts';
import {meetingOf} from '../../rules/collision-matrix.ts';
import {type InboxItem, inbox, shownItems} from '../../rules/inbox.ts';
import {lastSnapshot} from '../../state/agent/agent.ts';
import {agentOfItem, type Item, type ItemOf} from '../../state/item.ts';
import {openInGroup, optionsOf} from '../../state/items/question/answer.ts';
import {kindOf} from '../../state/items.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {waitingItem} from '../formatting/agent-look.ts';
import {holdsAll} from '../rows/found.ts';
import {filterOf} from './searching.ts';
import {looksAgain} from './selection.ts';
import {
	type Context,
	type ItemPlace,
	keptText,
	type MatrixPlace,
	openPlace,
	type View,
} from './view.ts';
import {offeredBy} from './ways.ts';

/** Caches the inbox: each key of an item needs it, and so does each frame. */
const inboxOf = oncePer(inbox);

/**
Returns the content of an item, as a text to compare.

It is stored when the item is opened. A key is for what the person saw: if the content or a choice has changed since, the key does nothing.
*/
export const bindingOf = (state: State, item: Item): string => {
	const kind = kindOf(item);
	const agent = kind.worker(state, item);
	return JSON.stringify([
		kind.essence(item),
		agent === undefined ? null : lastSnapshot(agent)?.commit,
		offeredBy(state, item.id).map(({choice, label}) => [choice, label]),
	]);
};

/** Current state of the item that a person looks at. */
export type OpenItem =
	| {readonly freshness: 'same' | 'changed'; readonly item: Item; readonly shown: InboxItem}
	| {readonly freshness: 'gone'};

export const openItem = (state: State, place: ItemPlace): OpenItem => {
	const item = itemOf(state, place.item);
	const shown = inboxOf(state).find(({id}) => id === place.item);
	if (item === undefined || shown === undefined) {
		return {freshness: 'gone'};
	}

	return {freshness: bindingOf(state, item) === place.binding ? 'same' : 'changed', item, shown};
};

/** Opens an item; for a question that takes any text, with the text field open. */
export const open = ({model, view}: Context, id: string): View => {
	const {state} = model;
	const item = itemOf(state, id);
	const shown = inboxOf(state).find(shown => shown.id === id);
	if (item === undefined || shown === undefined) {
		return view;
	}

	const group = item.kind === 'question' ? openInGroup(state, item) : [];
	if (item.kind === 'question' && group.length > 1) {
		return openForm(view, state, item, group);
	}

	const writes = item.kind === 'question' && shown.free && optionsOf(item.question).length === 0;
	return {
		...openPlace(view, {
			at: 'item',
			item: id,
			binding: bindingOf(state, item),
			from: view.place.at === 'inbox' ? 'inbox' : 'board',
			cursor: askedFor(item, shown),
			marked: [],
			together: false,
			shows: 'facts',
		}),
		row: id,
		looks: looksAgain(view, id),
		agent: agentOfItem(item) ?? view.agent,
		...(writes && model.mode.kind === 'live'
			? {dialog: {kind: 'answer', ...keptText(view, id)}}
			: {}),
	};
};

/** Opens questions that were asked together as one form, at the selected question. */
const openForm = (
	view: View,
	state: State,
	{id, agent, group}: ItemOf<'question'>,
	questions: readonly ItemOf<'question'>[],
): View => ({
	...openPlace(view, {
		at: 'questions',
		agent,
		group,
		bindings: Object.fromEntries(questions.map(item => [item.id, bindingOf(state, item)])),
		item: id,
		cursor: undefined,
		marked: [],
		together: false,
		from: view.place.at === 'inbox' ? 'inbox' : 'board',
	}),
	row: id,
	agent,
});

/** Opens an item, and leads back from it to an earlier place. */
export const openAt = (context: Context, {item, from}: Pick<ItemPlace, 'item' | 'from'>): View => {
	const view = open(context, item);
	return view.place.at === 'item' ? {...view, place: {...view.place, from}} : view;
};

export const listedItems = ({model, view}: Context): readonly InboxItem[] =>
	inboxOf(model.state).filter(({id, kind, agent, title}) =>
		holdsAll(`${id} ${kind} ${agent ?? ''} ${title}`, filterOf(view)),
	);

/** Returns the next item: one that the selected agent waits for, or otherwise the first of the inbox. */
export const nextItem = ({model: {state}, view}: Context): Item | undefined => {
	const {place} = view;
	const id = place.at === 'agent' ? place.agent : place.at === 'board' ? view.agent : undefined;
	const agent = agentOf(state, id ?? '');
	const items = shownItems(state);
	const own = agent && waitingItem(state, agent);
	return own !== undefined && items.includes(own) ? own : items[0];
};

/** Returns the selected item of the inbox, or the first one if that is gone. */
export const inboxRow = (context: Context): string => {
	const {view} = context;
	const ids = listedItems(context).map(({id}) => id);
	return view.row !== undefined && ids.includes(view.row) ? view.row : (ids[0] ?? '');
};

/** Returns to an item or, if it is gone, to the place that it was opened from. */
export const backTo = (context: Context, place: Pick<ItemPlace, 'item' | 'from'>): View =>
	itemOf(context.model.state, place.item) === undefined
		? openPlace(context.view, {at: place.from})
		: openAt(context, place);

/** Returns the choice that a checkpoint requests, which is preselected; other items have none. */
const askedFor = (item: Item, shown: InboxItem): number | undefined => {
	const request = item.kind === 'checkpoint' ? item.said.request?.toLowerCase() : undefined;
	const index = shown.choices.findIndex(({choice}) => choice === request);
	return index === -1 ? undefined : index;
};

/** Returns the reason why nothing can be decided in a recording. */
export const inRecording = ({model}: Pick<Context, 'model'>): string | undefined =>
	model.mode.kind === 'replay' ? 'This is a recording; nothing can be done to it.' : undefined;

/** Returns the reason why nothing can be done to the session, if so. */
export const notLive = (context: Context): string | undefined =>
	inRecording(context) ??
	(context.model.state.session?.ended ? 'The session has ended.' : undefined);

/** An agent, and the other side: another agent or `target`. */
export type Cell = readonly [string, string];

export const rowNames = ({agents}: State): readonly string[] => agents.map(({id}) => id);

export const columnNames = (state: State): readonly string[] => [...rowNames(state), 'target'];

/** Returns the selected cell, or otherwise the first one with findings, or the first one. */
export const cellOf = (state: State, {cell}: MatrixPlace): Cell | undefined => {
	if (cell !== undefined) {
		return cell;
	}

	const cells = matrixCells(state);
	return cells.find(one => hasFindings(state, one)) ?? cells[0];
};

/** Returns all cells of two different sides, row by row. */
export const matrixCells = (state: State): readonly Cell[] =>
	rowNames(state).flatMap(one =>
		columnNames(state)
			.filter(other => other !== one)
			.map((other): Cell => [one, other]),
	);

export const hasFindings = (state: State, cell: Cell): boolean => {
	const meeting = meetingOf(state, ...cell);
	return meeting.standing === 'compared' && meeting.findings.length > 0;
};
