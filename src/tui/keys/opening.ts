import type {Model} from '../../client/model.ts';
import {itemOf} from '../../state/select.ts';
import type {Action} from '../action.ts';
import {checkOf} from '../formatting/check-look.ts';
import {open, rowOf} from '../model/open-item.ts';
import {type Context, go, type Outcome, only, type View} from '../model/view.ts';

const toCheck = ({view}: Context): Outcome => only(go(view, {at: 'check', back: view.place}));

/** The running check is the next thing to look at where nothing waits for the person. */
const canWatchCheck = ({model, view}: Context): boolean =>
	checkOf(model)?.phase === 'running' && view.place.at !== 'check';

/** Other items than those about the result have nothing to do with its check. */
const isAtAnotherItem = ({state}: Model, {place}: View): boolean => {
	const kind = place.at === 'item' ? itemOf(state, place.item)?.kind : undefined;
	return place.at === 'item' && kind !== 'verify' && kind !== 'approval';
};

const hasNext = (context: Context): boolean =>
	context.model.state.items.length > 0 || canWatchCheck(context);

const canLook = ({model}: Context): boolean => model.state.agents.length > 0;

/** Shows something else of an agent than its words; again: its words. */
const showing = ({view}: Context, show: 'work' | 'about'): Outcome => {
	const {place} = view;
	return only(
		place.at === 'agent' ? go(view, {...place, show: place.show === show ? 'words' : show}) : view,
	);
};

/** How to look into something, and out of it again. */
export const opening: readonly Action[] = [
	{
		name: 'next',
		keys: ['enter'],
		label: 'next',
		help: 'open the next thing that needs you',
		where: ['board', 'agent', 'log', 'check'],
		// On the board the key is then for the agent that the person is at.
		when: context => context.view.place.at !== 'board' || hasNext(context) || !canLook(context),
		whyNot: context => (hasNext(context) ? undefined : 'Nothing waits for you.'),
		run: context => {
			const [next] = context.model.state.items;
			return next === undefined ? toCheck(context) : only(open(context, next.id));
		},
	},
	{
		name: 'open-item',
		keys: ['enter'],
		label: 'open',
		help: 'open it',
		where: ['inbox'],
		whyNot: ({model}) => (model.state.items.length === 0 ? 'Nothing waits for you.' : undefined),
		run: context => only(open(context, rowOf(context))),
	},
	{
		name: 'check',
		keys: ['v'],
		label: 'check',
		help: 'see what the check of the merged result prints',
		where: ['board', 'agent', 'inbox', 'item', 'log'],
		when: ({model, view}) => checkOf(model) !== undefined && !isAtAnotherItem(model, view),
		run: toCheck,
	},
	{
		name: 'look',
		keys: ['o', 'space', 'enter'],
		label: 'open agent',
		help: 'see all that this agent says, thinks and does, and its work',
		where: ['board'],
		when: canLook,
		run: ({model, view}) =>
			only(
				go(view, {
					at: 'agent',
					agent: view.agent ?? model.state.agents[0]?.id ?? '',
					show: 'words',
				}),
			),
	},
	{
		name: 'work',
		keys: ['d'],
		label: 'words/work',
		help: 'switch between what the agent says and the diff of its last snapshot',
		where: ['agent'],
		run: context => showing(context, 'work'),
	},
	{
		name: 'about',
		keys: ['a'],
		label: 'about it',
		help: 'see what this agent is to do and may do, and which files it changed; again: its words',
		where: ['agent'],
		run: context => showing(context, 'about'),
	},
	{
		name: 'back',
		keys: ['esc', 'b'],
		label: 'back',
		help: 'go back',
		where: [
			'agent',
			'inbox',
			'item',
			'questions',
			'answers',
			'log',
			'check',
			'matrix',
			'findings',
			'help',
		],
		run: ({view}) => {
			const {place} = view;
			switch (place.at) {
				case 'help':
					return only({...go(view, place.back), scroll: place.scroll});
				case 'check':
				case 'findings':
				case 'answers':
					return only(go(view, place.back));
				case 'agent':
					return only(go(view, place.back ?? {at: 'board'}));
				case 'item':
				case 'questions':
					return only(go(view, {at: place.from}));
				default:
					return only(go(view, {at: 'board'}));
			}
		},
	},
];
