import type {Model} from '../../client/model.ts';
import {whyNotUndo} from '../../rules/effects/merging.ts';
import {shownItems} from '../../rules/inbox.ts';
import {nextToTurn, type UndoOrRedo} from '../../state/merge/publication.ts';
import {itemOf} from '../../state/select.ts';
import {byAmount} from '../action.ts';
import {checkOf} from '../formatting/check-look.ts';
import {inboxRow, inRecording, listedItems, nextItem, open} from '../model/open-item.ts';
import {withoutWords} from '../model/searching.ts';
import {
	type Action,
	type Context,
	type ItemPlace,
	type Outcome,
	openPlace,
	showing,
	type View,
	withNotice,
} from '../model/view.ts';
import {snapshotsOf} from '../screens/items/about-agent.ts';

const toCheck = ({view}: Context): Outcome => openPlace(view, {at: 'check', back: view.place});

/** Returns whether the running check is the next thing to look at: nothing waits for the person. */
const canWatchCheck = ({model, view}: Context): boolean =>
	checkOf(model)?.phase === 'running' && view.place.at !== 'check';

/** Returns whether an open item has nothing to do with the result's check. */
const isAtAnotherItem = ({state}: Model, {place}: View): boolean => {
	const kind = place.at === 'item' ? itemOf(state, place.item)?.kind : undefined;
	return place.at === 'item' && kind !== 'verify' && kind !== 'approval';
};

const hasNext = (context: Context): boolean =>
	shownItems(context.model.state).length > 0 || canWatchCheck(context);

const canLook = ({model}: Context): boolean => model.state.agents.length > 0;

/** Shows another part of an agent instead of its words, or its words again. */
const shownNow = ({view}: Context, show: 'work' | 'about'): Outcome => {
	const {place} = view;
	return place.at === 'agent'
		? openPlace(view, {...place, show: place.show === show ? 'words' : show})
		: view;
};

/** Views that Esc leaves, and the key of the inbox too. */
export const views = [
	...(['agent', 'item', 'questions', 'answers'] as const),
	...(['log', 'check', 'matrix', 'findings'] as const),
];

/** Actions that open and close views. */
export const opening: readonly Action[] = [
	{
		...{name: 'next', keys: ['enter'], label: 'next'},
		help: 'open the next thing that needs you',
		where: ['board', 'agent', 'log', 'check'],
		// On the board the key otherwise opens the selected agent.
		when: context => context.view.place.at !== 'board' || hasNext(context) || !canLook(context),
		whyNot: context => (hasNext(context) ? undefined : 'Nothing waits for you.'),
		run: context => {
			const next = nextItem(context);
			return next === undefined ? toCheck(context) : open(context, next.id);
		},
	},
	{
		...{name: 'open-item', keys: ['enter'], label: 'open'},
		help: 'open it',
		where: ['inbox'],
		whyNot: context =>
			listedItems(context).length === 0 ? 'There is nothing to open.' : undefined,
		run: context => open(context, inboxRow(context)),
	},
	{
		...{name: 'check', keys: ['v'], label: 'check'},
		help: 'see what the check of the merged result prints',
		where: ['board', 'agent', 'inbox', 'item', 'log'],
		when: ({model, view}) => checkOf(model) !== undefined && !isAtAnotherItem(model, view),
		run: toCheck,
	},
	{
		...{name: 'look', keys: ['o', 'space', 'enter'], label: 'open agent'},
		help: 'see all that this agent says, thinks and does, and its work',
		where: ['board'],
		when: canLook,
		run: ({model, view}) =>
			openPlace(view, {
				at: 'agent',
				agent: view.agent ?? model.state.agents[0]?.id ?? '',
				show: 'words',
			}),
	},
	{
		...{name: 'work', keys: ['d'], label: 'transcript/diff'},
		help: 'switch between what the agent says and the diff of its last snapshot',
		where: ['agent'],
		run: context => shownNow(context, 'work'),
	},
	{
		...{name: 'about', keys: ['a'], label: 'about it'},
		help: 'see this agent’s task, scope and changed files; again: its transcript',
		where: ['agent'],
		run: context => shownNow(context, 'about'),
	},
	{
		...{name: 'back', keys: ['esc', 'b'], label: 'back'},
		help: 'go back; end a search, or the look at one file, first',
		where: ['inbox', 'help', ...views],
		run: ({view}) => {
			const {place} = view;
			const all = withoutWords(view);
			if (all !== undefined) {
				return all;
			}

			if (view.file !== undefined) {
				return {...view, file: undefined, scroll: 0};
			}

			switch (place.at) {
				case 'help':
					return {...openPlace(view, place.back), scroll: place.scroll};
				case 'check':
				case 'findings':
				case 'answers':
					return openPlace(view, place.back);
				case 'agent':
					return openPlace(view, place.back ?? {at: 'board'});
				case 'item':
				case 'questions':
					return openPlace(view, {at: place.from});
				default:
					return openPlace(view, {at: 'board'});
			}
		},
	},
];

const play = ({view}: Context, step: number | 'toggle'): Outcome => ({
	view,
	effects: [{do: 'play', step}],
});

export const playing: readonly Action[] = [
	...byAmount(['recording'], play, [
		['pause', ['space'], 'pause the recording, or let it go on', 'toggle', 'pause/play'],
		['forth', ['right', '.'], 'go on by one event', 1, 'step'],
		['back-one', ['left', ','], 'go back by one event', -1],
		['forth-many', [']'], 'go on by twenty events', 20],
		['back-many', ['['], 'go back by twenty events', -20],
	]),
];

/** Asks the supervisor first what would change. The person then confirms exactly that, so a second press doesn't reverse the first. */
const turning = (wish: UndoOrRedo): Pick<Action, 'whyNot' | 'run'> => ({
	whyNot: context => inRecording(context) ?? whyNotUndo(context.model.state, wish),
	run: ({model: {state}, view}) => ({
		view: withNotice(
			view,
			'info',
			state.session?.plan.verify.length === 0
				? 'The supervisor works out what that changes; then you are asked.'
				: 'The check runs on the outcome first; then you are asked.',
		),
		effects: [{do: 'offer-undo', turn: wish}],
	}),
});

export const undoKeys: readonly Action[] = [
	{
		...{name: 'undo', keys: ['U'], label: 'undo merge'},
		help: 'take the newest merge back',
		where: ['board', 'log'],
		when: ({model}) => nextToTurn(model.state)?.phase === 'standing',
		...turning('undo'),
	},
	{
		...{name: 'redo', keys: ['R', 'U'], label: 'redo merge'},
		help: 'bring back the merge that was taken back last; U does so, too, if none is left to take back',
		where: ['board', 'log'],
		when: ({model: {state}}) => nextToTurn(state, 'redo') !== undefined,
		...turning('redo'),
	},
	{
		...{name: 'publish', keys: ['P'], label: 'publish'},
		help: 'push the newest merge with your own git; the exact commands are shown, and you are asked before',
		where: ['board', 'log'],
		when: ({model}) => nextToTurn(model.state)?.phase === 'standing',
		whyNot: inRecording,
		run: ({view}) => ({
			view: withNotice(view, 'info', 'Git says what there is to push; then you are asked.'),
			effects: [{do: 'offer-push'}],
		}),
	},
];

/** Returns the current part of an item that offers a restore; nothing for other items. */
const shownAtSetBack = ({model, view: {place}}: Context): ItemPlace['shows'] | undefined => {
	const item = place.at === 'item' ? itemOf(model.state, place.item) : undefined;
	return place.at === 'item' &&
		item !== undefined &&
		snapshotsOf(model.state, item).some(snapshot => snapshot !== undefined)
		? place.shows
		: undefined;
};

/** Actions that show the changes of a restore before it is chosen. */
export const setBackActions: readonly Action[] = [
	{
		...{name: 'set-back', keys: ['P'], label: 'preview'},
		help: 'see how a choice that sets the worktree back changes it; again: the work',
		where: ['item'],
		when: context => shownAtSetBack(context) !== undefined,
		run: context => {
			const shows = shownAtSetBack(context) === 'outcome' ? 'facts' : 'outcome';
			return showing(context.view, {shows});
		},
	},
	{
		...{name: 'set-back-over', keys: ['esc', 'b'], label: 'back'},
		help: 'go back to the work',
		where: ['item'],
		when: context => shownAtSetBack(context) === 'outcome',
		run: ({view}) => showing(view, {shows: 'facts'}),
	},
];
