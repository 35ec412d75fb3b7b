import {enumerated} from '../../lib/text/words.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import {hasUnsent} from '../model/decide.ts';
import {notLive} from '../model/open-item.ts';
import {doInForm, formIn, isAtPlan, leaveForm} from '../model/plan.ts';
import {
	type Action,
	type Context,
	composing,
	confirming,
	keptDrafts,
	leavingAsked,
	openPlace,
	withNotice,
} from '../model/view.ts';
import {isTooSmall} from '../terminal/full-screen.ts';
import {views} from './opening.ts';
import {grantableHere} from './work-parts.ts';

/** Places where a person may also be writing. */
const anywhere = [
	...(['everywhere', 'lines', 'writing', 'searching', 'palette'] as const),
	...(['confirming', 'field', 'path'] as const),
];

export const session: readonly Action[] = [
	{
		...{name: 'inbox', keys: ['i'], label: 'inbox'},
		help: 'list everything that waits for you',
		where: ['board', 'hunks', ...views],
		run: ({view}) => openPlace(view, {at: 'inbox'}),
	},
	{
		...{name: 'matrix', keys: ['m'], label: 'matrix'},
		help: 'show conflicts between agents and with the target',
		where: ['board'],
		run: ({view}) => openPlace(view, {at: 'matrix', cell: undefined}),
	},
	{
		...{name: 'log', keys: ['l'], label: 'log'},
		help: 'see what happened, event by event',
		where: ['board', 'agent', 'inbox', 'check'],
		run: ({view}) => openPlace(view, {at: 'log'}),
	},
	{
		...{name: 'add', keys: ['+']},
		help: 'add one more agent; you write its subtask as in a plan',
		where: ['board'],
		whyNot: notLive,
		run: ({view}) => composing(view, {what: 'subtask', words: ''}),
	},
	{
		...{name: 'follow-up', keys: ['+'], label: 'follow it up'},
		help: 'add an agent for this one’s recommendation; you edit the words first',
		where: ['item'],
		// If reverted changes are on the screen, the key grants those.
		when: context => recommended(context) !== '' && grantableHere(context).length === 0,
		whyNot: notLive,
		run: context => composing(context.view, {what: 'subtask', words: recommended(context)}),
	},
	{
		...{name: 'stop', keys: ['X']},
		help: 'end the session; all work is kept',
		where: ['board', 'inbox'],
		whyNot: notLive,
		run: ({view}) =>
			confirming(view, 'End the session? All agents stop; their work is kept.', {
				do: 'ask',
				request: {do: 'stop'},
				done: 'The session is being ended',
			}),
	},
	{
		...{name: 'keys', keys: ['?'], label: 'all keys'},
		help: 'list the keys that work here',
		where: ['everywhere'],
		when: ({view}) => view.place.at !== 'help',
		run: ({view}) => openPlace(view, {at: 'help', back: view.place, scroll: view.scroll}),
	},
	{
		...{name: 'suspend', keys: ['ctrl+z']},
		help: 'go to your shell for a while; fg leads back',
		where: anywhere,
		run: ({view}) => ({view, effects: [{do: 'suspend'}]}),
	},
	{
		...{name: 'redraw', keys: ['ctrl+l']},
		help: 'draw the whole screen again, after something else has written on it',
		where: anywhere,
		run: ({view}) => ({view, effects: [{do: 'redraw'}]}),
	},
	{
		...{name: 'leave', keys: ['q', 'ctrl+c'], label: 'leave'},
		help: 'leave the screen',
		where: ['everywhere', 'lines', 'confirming', 'waiting', 'too small'],
		// During a confirmation or a hand-in only one key leaves the form, except in a window that has no other.
		when: ({view}) =>
			!isAtPlan(view) ||
			isTooSmall(view.size) ||
			(view.dialog.kind !== 'confirm' && view.dialog.kind !== 'waiting'),
		run: context => {
			const view = {...context.view, drafts: keptDrafts(context.view)};
			const asked = leavingAsked(view);
			const form = formIn(view);
			if (form !== undefined) {
				return asked === undefined && view.dialog.kind !== 'waiting'
					? leaveForm(form)
					: doInForm(form, {do: 'leave-form'});
			}

			const unsent = unsentFor({...context, view});
			return unsent.length === 0 || asked !== undefined
				? {view: withNotice(view, 'info', 'Leaving …'), effects: [{do: 'leave'}]}
				: confirming(
						view,
						`What you wrote for ${enumerated(unsent)} is not sent. Leave without it?`,
						{do: 'leave'},
					);
		},
	},
];

/** Returns the items and agents for which the person has written something that is not sent. */
const unsentFor = (context: Context): readonly string[] => {
	const {session, items, agents} = context.model.state;
	return session?.ended
		? []
		: [...items, ...agents].map(({id}) => id).filter(id => hasUnsent(context, id));
};

/** Returns the recommendations of the open review's agent, one per line. */
const recommended = ({model: {state}, view: {place}}: Context): string => {
	const item = place.at === 'item' ? itemOf(state, place.item) : undefined;
	const report = item?.kind === 'review' ? agentOf(state, item.agent)?.report : undefined;
	return (report?.recommendations ?? []).join('\n');
};
