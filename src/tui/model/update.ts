import {defined} from '../../lib/values.ts';
import {type PushOffer, pushQuestion, pushText} from '../../rules/push-offer.ts';
import {offerQuestion, type UndoOffer} from '../../rules/undo-offer.ts';
import {itemOf} from '../../state/select.ts';
import {actionFor, actionsHere} from '../action.ts';
import {agentAt} from '../screens/board.ts';
import {bodyOf, lineAtPlace, relaid, scrollTo} from '../screens/body.ts';
import {fileInTree} from '../screens/item.ts';
import {itemLayout} from '../screens/item-layout.ts';
import {isTooSmall, type Size} from '../terminal/full-screen.ts';
import {isText, keySign} from '../terminal/key-name.ts';
import {decided} from './decide.ts';
import {type Draft, editingKeys, insert} from './draft.ts';
import {listedItems, open} from './open-item.ts';
import {isAtPlan, judged, type PlanInput, planned, withDraft, writeHere} from './plan.ts';
import {looked} from './unseen.ts';
import {
	type Context,
	confirming,
	type ItemPlace,
	type KeyEffect,
	type Outcome,
	openPlace,
	type ScreenNotice,
	showing,
	type View,
	type ViewWithEffects,
	withEffects,
	withNotice,
} from './view.ts';

/** Input from the terminal. */
export type FromTerminal =
	/** `at`: time of the press, in milliseconds since 1970; a key without it counts as one after a pause. */
	| {readonly kind: 'key'; readonly key: string; readonly at?: number}
	/** The mouse wheel was turned, down or up. */
	| {readonly kind: 'wheel'; readonly by: 1 | -1}
	/** The mouse button was pressed at a cell, counted from 0, or the mouse was dragged there. */
	| {readonly kind: 'click' | 'drag'; readonly row: number; readonly column: number}
	| {readonly kind: 'paste'; readonly text: string}
	| {readonly kind: 'resize'; readonly size: Size};

/** Input of the screen: from the person, the terminal, or as an answer. */
export type ScreenInput =
	| FromTerminal
	| PlanInput
	/** `item`: item to leave; `draft`: text that was sent; `at`: time at which another program gave the terminal back. */
	| {
			readonly kind: 'granted';
			readonly item?: string;
			readonly draft?: Draft;
			readonly at?: number;
			readonly text: string;
	  }
	| {readonly kind: 'refused'; readonly text: string; readonly at?: number}
	/** The supervisor's description of an undo or redo; `at` is the time, as for a key. */
	| {readonly kind: 'undo-offered'; readonly offer: UndoOffer; readonly at?: number}
	/** The description of a push. */
	| {readonly kind: 'push-offered'; readonly offer: PushOffer; readonly at?: number}
	/** The person's editor has closed; with the reason if it failed. */
	| {readonly kind: 'edited'; readonly trouble?: string}
	/** Steps on hunks were stored or refused; in both cases the hunks are read again. */
	| {readonly kind: 'kept'; readonly trouble?: string}
	/** A notice has been shown for long enough. */
	| {readonly kind: 'read'; readonly notice: ScreenNotice};

/** Returns the outcome of an input: the whole behaviour of the screen, without a terminal. */
export const update = (before: Context, input: ScreenInput): ViewWithEffects => {
	const view = looked(before);
	const outcome = taken(view === before.view ? before : {...before, view}, input);
	const {view: after, effects} = withEffects(outcome);
	return {view: judged(after), effects};
};

const taken = (context: Context, input: ScreenInput): Outcome => {
	const {view} = context;
	switch (input.kind) {
		case 'resize':
			return isTooSmall(view.size)
				? {...view, size: input.size}
				: relaid(context, {size: input.size});
		case 'granted':
			return granted(context, input);
		case 'refused':
			return withNotice(givenBack(refused(view), input.at), 'bad', input.text);
		case 'undo-offered':
			return undoOffered(view, input);
		case 'push-offered':
			return offered(
				view,
				input.at,
				[...pushText(input.offer), pushQuestion(input.offer)].join('\n'),
				{
					do: 'push',
					offer: input.offer,
				},
			);
		case 'read':
			return view.notice === input.notice ? {...view, notice: undefined} : view;
		case 'edited':
			return edited(context, input.trouble);
		case 'kept':
			return readAnew(view, input);
		case 'wheel':
			return wheeled(context, input.by);
		case 'click':
		case 'drag':
			return clicked(context, input);
		case 'paste':
			return paste(view, input.text);
		case 'key':
			return isTypedOn(view, input)
				? withNotice({...view, burst: input.at}, 'info', whyIgnored(view))
				: isForAnother(context, input)
					? withNotice(view, 'info', cameJustNow)
					: pressed(context, input);
		default:
			return planned(view, input);
	}
};

/** Returns the input that tells that a request was granted. */
export const grantOf = ({
	done,
	draft,
	item,
	leadsTo,
}: Extract<KeyEffect, {do: 'ask'}>): ScreenInput => ({
	kind: 'granted',
	text: done,
	...defined({draft, item: leadsTo === 'here' ? item : undefined}),
});

const granted = (
	{model, view}: Context,
	{item, draft, at, text}: Extract<ScreenInput, {kind: 'granted'}>,
): View => {
	const drafts = Object.entries(view.drafts).filter(([, kept]) => kept !== draft);
	const left = decided(view, model.state, item);
	return withNotice(givenBack({...left, drafts: Object.fromEntries(drafts)}, at), 'good', text);
};

/** Holds an Enter back that was meant for another program, before it takes the selected choice of an item. */
const givenBack = (view: View, at: number | undefined): View =>
	view.place.at === 'item' && at !== undefined ? {...view, burst: at} : view;

const undoOffered = (
	view: View,
	{offer, at}: Extract<ScreenInput, {kind: 'undo-offered'}>,
): Outcome => {
	const {turn, merge, from, gitSettings} = offer;
	return offered(view, at, offerQuestion(offer), {
		do: 'ask',
		request: {
			do: 'undo',
			agreed: {turn, merge, from, ...defined({settings: gitSettings?.digest})},
		},
		done: turn === 'undo' ? 'The merge is taken back' : 'The merge is brought back',
	});
};

/** Shows an offer as a question; as a notice if the person is doing something else, so that no key for that counts as a yes. */
const offered = (
	view: View,
	at: number | undefined,
	question: string,
	effect: KeyEffect,
): Outcome => {
	const isIdle =
		view.dialog.kind === 'none' && (view.place.at === 'board' || view.place.at === 'log');
	return isIdle
		? confirming({...view, notice: undefined, burst: at}, question, effect)
		: withNotice(
				view,
				'info',
				`${question} Nothing is done yet; on the board you are asked again.`,
			);
};

/** Returns to the draft after a refusal; keys count at once there. */
const refused = (view: View): View => ('draft' in view.dialog ? {...view, burst: undefined} : view);

type KeyInput = Extract<ScreenInput, {kind: 'key'}>;

/** Pause in milliseconds after which keys count as a reaction to the new screen. */
const pauseMs = 700;

/** Returns whether a letter is to be ignored after a decision or an unexpected question: it was typed for the view before, and could decide something in the next one. In an item, a letter only selects. */
const isTypedOn = ({burst, place, dialog}: View, {key, at}: KeyInput): boolean =>
	burst !== undefined &&
	at !== undefined &&
	at - burst < pauseMs &&
	(key === 'enter' || (isText(key) && !(place.at === 'item' && dialog.kind === 'none')));

const whyIgnored = ({dialog}: View): string => (dialog.kind === 'confirm' ? cameJustNow : typedOn);

const typedOn = 'Keys that come at once do nothing; pause, or press an arrow or Esc first.';

/** Returns whether a number on the board was meant for the question shown before, which another one replaced just now. */
const isForAnother = ({model: {state}, view}: Context, {key, at}: KeyInput): boolean => {
	const agent = view.agent ?? state.agents[0]?.id;
	return (
		view.place.at === 'board' &&
		view.dialog.kind === 'none' &&
		/^\d$/.test(key) &&
		at !== undefined &&
		state.items.some(
			item =>
				item.kind === 'question' &&
				item.agent === agent &&
				Math.abs(at - Date.parse(item.opened)) < pauseMs,
		)
	);
};

const cameJustNow =
	'This question came just now. Nothing was done; read it, then press the key again.';

const pressed = (context: Context, {key, at}: KeyInput): Outcome => {
	const before: View = {...context.view, notice: undefined, burst: undefined};
	const done = withEffects(press({...context, view: before}, key));
	const outcome = saidHowToLeave(context, key, done);
	// A key without an effect may have been pressed before the notice was read.
	if (outcome.view === before && outcome.effects.length === 0) {
		return {...context.view, burst: undefined};
	}

	const leads = outcome.view.place !== before.place || outcome.view.dialog !== before.dialog;
	const asks = outcome.effects.filter(effect => effect.do === 'ask');
	const leaves = asks.length > 0 && leads;
	const sends = asks.some(({item}) => item !== undefined) && 'draft' in outcome.view.dialog;
	const {place} = outcome.view;
	// An Enter that is held down must not take the choice that it finds selected.
	const opens = key === 'enter' && leads && place.at === 'item' && place.cursor !== undefined;
	return leaves || sends || opens ? {...outcome, view: {...outcome.view, burst: at}} : outcome;
};

/** Adds a notice if the key that leaves a place only closed the text field. */
const saidHowToLeave = (
	{view, ...context}: Context,
	key: string,
	outcome: ViewWithEffects,
): ViewWithEffects => {
	const isStopped = 'draft' in view.dialog && outcome.view.dialog.kind === 'none';
	const next = isStopped ? actionFor({...context, view: outcome.view}, key) : undefined;
	return next?.name === 'leave' && !isText(key)
		? {...outcome, view: withNotice(outcome.view, 'info', `${keySign(key)} again leaves.`)}
		: outcome;
};

const press = (context: Context, key: string): Outcome => {
	const action = actionFor(context, key);
	if (action !== undefined) {
		const refused = action.whyNot?.(context);
		return refused === undefined ? action.run(context) : withNotice(context.view, 'warn', refused);
	}

	const {dialog} = context.view;
	const edit = editingKeys[key];
	if ('draft' in dialog && edit !== undefined) {
		return withDraft(context.view, edit(dialog.draft), key);
	}

	// Any other key means no there, so that a person does not confirm by writing on.
	if (dialog.kind === 'confirm' && isAtPlan(context.view)) {
		return {...context.view, dialog: {kind: 'none'}};
	}

	return isText(key) ? write(context.view, key === 'space' ? ' ' : key) : context.view;
};

/** Actions of the wheel by place: scroll, or move in a list. */
const wheels = {
	1: ['row-down', 'line-down', 'next-item', 'next-entry', 'next-field'],
	[-1]: ['row-up', 'line-up', 'previous-item', 'previous-entry', 'previous-field'],
} as const;

/** Number of rows per notch of the wheel. */
const notch = 3;

const wheeled = (context: Context, by: 1 | -1): View => {
	const names: readonly string[] = wheels[by];
	const action = actionsHere(context).find(({name}) => names.includes(name));
	const times = action?.name === names[0] ? notch : 1;
	let {view} = context;
	for (let turn = 0; turn < times; turn++) {
		view = action === undefined ? view : withEffects(action.run({...context, view})).view;
	}

	return view;
};

/** Opens the agent, item or file at the mouse, but decides nothing; in a diff, goes to the line, and a drag selects up to it. */
const clicked = (
	context: Context,
	{kind, row, column}: Extract<FromTerminal, {kind: 'click' | 'drag'}>,
): View => {
	const {view} = context;
	const {dialog} = view;
	if ((dialog.kind !== 'none' && dialog.kind !== 'lines') || isTooSmall(view.size)) {
		return view;
	}

	const line = lineAtPlace(context, row, column);
	if (line !== undefined) {
		const {at, resource} = line;
		return {
			...view,
			dialog:
				kind === 'drag' && dialog.kind === 'lines'
					? {...dialog, at, from: dialog.from ?? dialog.at}
					: {kind: 'lines', resource, at},
		};
	}

	if (dialog.kind === 'lines' || kind === 'drag') {
		return view;
	}

	if (view.place.at === 'board') {
		const agent = agentAt(context, row, column);
		return agent === undefined
			? view
			: {...openPlace(view, {at: 'agent', agent, show: 'words'}), agent};
	}

	if (view.place.at === 'item') {
		return atFile(context, view.place, {row, column});
	}

	const {offset, height} = bodyOf(context);
	// Above the list are the titles of the screen and of the list.
	const at = row - 2;
	const item = at < 0 || at >= height ? undefined : listedItems(context)[offset + at];
	return view.place.at === 'inbox' && item !== undefined ? open(context, item.id) : view;
};

/** Scrolls to the diff of the file that is at the mouse in the tree beside it. */
const atFile = (
	context: Context,
	place: ItemPlace,
	mouse: {readonly row: number; readonly column: number},
): View => {
	const layout = itemLayout(context, place);
	const path = layout && fileInTree(context, layout, mouse);
	const body = bodyOf(context);
	const part = body.diff?.files.find(file => file.path === path);
	return body.diff === undefined || part === undefined
		? context.view
		: {
				...context.view,
				scroll: scrollTo(place, body, Math.min(body.diff.from + part.rows[0], body.last)),
			};
};

/** Pastes into the current field, even before writing has begun. */
const paste = (view: View, text: string): View =>
	write(view.dialog.kind === 'none' && isAtPlan(view) ? writeHere(view) : view, text);

const write = (view: View, text: string): View =>
	'draft' in view.dialog ? withDraft(view, insert(view.dialog.draft, text)) : view;

/** Reads the hunks again, with a notice after a refusal. */
const readAnew = (view: View, {trouble}: Extract<ScreenInput, {kind: 'kept'}>): View => {
	const read = {...view, looks: view.looks + 1};
	return trouble === undefined ? read : withNotice(read, 'bad', trouble);
};

/** Returns the view after the person's editor has closed, at the resolution. Hunks are read again even after a failure, since the file may have changed. */
const edited = ({model, view}: Context, trouble: string | undefined): View => {
	const {place} = view;
	if (place.at !== 'hunks' && place.at !== 'item') {
		return view;
	}

	const looks = view.looks + 1;
	const [seen, closed, left]: readonly [View, string, string] =
		place.at === 'hunks'
			? [{...view, looks}, 'It has closed. This is how the file stands now.', '']
			: [
					{...showing(view, {shows: 'outcome', cursor: undefined}), looks},
					'Your editor has closed. "done" would take the file like this.',
					' The file is as it was left.',
				];
	if (itemOf(model.state, place.item) === undefined) {
		const gone = `${place.item} is gone meanwhile; your file stays in its folder.`;
		return withNotice(seen, 'warn', gone);
	}

	return trouble === undefined
		? withNotice(seen, 'info', closed)
		: withNotice(seen, 'bad', `${trouble}${left}`);
};
