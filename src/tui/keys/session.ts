import type {Action} from '../action.ts';
import {emptyDraft} from '../view/draft.ts';
import {open} from '../view/open-item.ts';
import {rowOf} from '../view/row-of.ts';
import {type Context, go, only, tell} from '../view/view.ts';

const notLive = ({model}: Context): string | undefined => {
	if (model.mode.kind === 'replay') {
		return 'This is a recording; nothing can be done to it.';
	}

	return model.state.session?.ended ? 'The session has ended.' : undefined;
};

/** What concerns the session as a whole, and how to get from place to place. */
export const session: readonly Action[] = [
	{
		name: 'next',
		keys: ['enter'],
		label: 'next for you',
		help: 'open the next thing that needs you',
		where: ['board', 'agent', 'log'],
		whyNot: ({model}) => (model.state.items.length === 0 ? 'Nothing waits for you.' : undefined),
		run: context => {
			const {items} = context.model.state;
			return only(open(context, items[0]?.id ?? ''));
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
		name: 'look',
		keys: ['o', 'space'],
		label: 'look closer',
		help: 'see all the words and the work of this agent',
		where: ['board'],
		when: ({model}) => model.state.agents.length > 0,
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
		name: 'back',
		keys: ['esc', 'b'],
		label: 'back',
		help: 'go back',
		where: ['agent', 'inbox', 'item', 'log', 'help'],
		run: ({view}) => {
			const {place} = view;
			switch (place.at) {
				case 'help':
					return only(go(view, place.back));
				case 'item':
					return only(go(view, {at: place.from}));
				default:
					return only(go(view, {at: 'board'}));
			}
		},
	},
	{
		name: 'inbox',
		keys: ['i'],
		label: 'inbox',
		help: 'list everything that waits for you',
		where: ['board', 'agent', 'item', 'log'],
		run: ({view}) => only(go(view, {at: 'inbox'})),
	},
	{
		name: 'log',
		keys: ['l'],
		label: 'log',
		help: 'see what happened, event by event',
		where: ['board', 'agent', 'inbox'],
		run: ({view}) => only(go(view, {at: 'log'})),
	},
	{
		name: 'add',
		keys: ['+'],
		help: 'add one more agent with a subtask that you write',
		where: ['board'],
		whyNot: notLive,
		run: ({view}) => only({...view, dialog: {kind: 'add', draft: emptyDraft}}),
	},
	{
		name: 'stop',
		keys: ['X'],
		help: 'end the session; all work is kept',
		where: ['board', 'inbox'],
		whyNot: notLive,
		run: ({view}) =>
			only({
				...view,
				dialog: {
					kind: 'confirm',
					question: 'End the session? All agents stop; their work is kept.',
					effect: {do: 'ask', request: {do: 'stop'}, done: 'The session is being ended'},
				},
			}),
	},
	{
		name: 'keys',
		keys: ['?'],
		label: 'all keys',
		help: 'list the keys that work here',
		where: ['everywhere'],
		when: ({view}) => view.place.at !== 'help',
		run: ({view}) => only(go(view, {at: 'help', back: view.place})),
	},
	{
		name: 'leave',
		keys: ['q', 'ctrl+c'],
		label: 'leave',
		help: 'leave the screen; the session goes on without it',
		where: ['everywhere', 'confirming', 'too small'],
		run: ({view}) => ({view: tell(view, 'info', 'Leaving …'), effects: [{do: 'leave'}]}),
	},
];
