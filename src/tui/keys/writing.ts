import {type AgentOrder, asCommand, switchIn} from '../../events/agent-order.ts';
import {defined} from '../../lib/values.ts';
import {actionKey} from '../action.ts';
import {isWhole} from '../formatting/choice-rows.ts';
import {confirm, decide, sent} from '../model/decide.ts';
import {draftOf, insert} from '../model/draft.ts';
import {completions, isOwnCommand, ownCommands, whenReadIn} from '../model/own-commands.ts';
import {withDraft} from '../model/plan.ts';
import {unreadRows} from '../model/unseen.ts';
import {
	type Action,
	type Context,
	isWriting,
	keptDrafts,
	type Outcome,
	type View,
	withNotice,
} from '../model/view.ts';
import {bodyOf} from '../screens/body.ts';
import {keepAnswer} from './form.ts';
import {keepComment} from './lines.ts';

const isApart = ({view: {dialog}}: Context): boolean =>
	dialog.kind === 'confirm' && dialog.apart === true;

const isWholeHere = ({view}: Context): boolean =>
	view.dialog.kind === 'confirm' && isWhole(view, view.dialog);

/** Actions in a text field and at a confirmation. */
export const writing: readonly Action[] = [
	{
		...{name: 'keep-comment', keys: ['enter'], label: 'keep'},
		help: 'keep the comment for your decision or next message; in a form, keep the answer until you send them all',
		where: ['writing'],
		when: ({view: {dialog, place}}) => dialog.kind === 'comment' || place.at === 'questions',
		run: context => send(context),
	},
	{
		...{name: 'send', keys: ['enter'], label: 'send'},
		help: 'send what you wrote',
		where: ['writing'],
		run: context => send(context),
	},
	{
		...{name: 'new-line', keys: ['alt+enter', 'ctrl+j'], label: 'new line'},
		help: 'begin a new line; pasting several lines works too',
		where: ['writing', 'field'],
		run: ({view}) =>
			'draft' in view.dialog ? withDraft(view, insert(view.dialog.draft, '\n')) : view,
	},
	{
		...{name: 'complete-command', keys: ['tab'], label: 'complete'},
		help: 'complete the first of the listed commands, which are the agent’s own',
		where: ['writing'],
		when: context => completions(context) !== undefined,
		run: context => {
			const {view} = context;
			const [first] = completions(context) ?? [];
			return first === undefined ? view : withDraft(view, draftOf(`/${first.name} `));
		},
	},
	{
		...{name: 'stop-writing', keys: ['esc', 'ctrl+c'], label: 'stop writing'},
		help: 'stop writing; your text is kept until you come back',
		where: ['writing', 'searching', 'palette', 'path'],
		run: ({view}) => ({...view, drafts: keptDrafts(view), dialog: {kind: 'none'}}),
	},
	{
		...{name: 'yes', keys: ['y'], label: 'yes'},
		help: 'yes, do it',
		where: ['confirming'],
		when: context => !isApart(context) && isWholeHere(context),
		run: confirm,
	},
	{
		...{name: 'yes-with-that', keys: ['Y'], label: 'yes, with that'},
		help: 'yes, with the named risks: files that run by themselves, links, a failed check, lines that you have not seen',
		where: ['confirming'],
		when: context => isApart(context) && isWholeHere(context),
		run: confirm,
	},
	{
		...{name: 'pull-request', keys: ['r'], label: 'open a pull request'},
		help: 'ask gh or glab to open a pull request, too; you read the commands first',
		where: ['confirming'],
		when: ({view: {dialog}}) =>
			dialog.kind === 'confirm' &&
			dialog.effect.do === 'push' &&
			dialog.effect.offer.canRequest === true,
		run: ({view}) => ({
			view: {...view, dialog: {kind: 'none'}},
			effects: [{do: 'offer-push', request: true}],
		}),
	},
	{
		...{name: 'no', keys: ['n', 'esc'], label: 'no'},
		help: 'no, leave it as it is',
		where: ['confirming'],
		run: context => {
			const view: View = {...context.view, dialog: {kind: 'none'}};
			return isApart(context) && unreadRows(view, bodyOf({...context, view})).length > 0
				? withNotice(
						view,
						'info',
						`${actionKey(context, 'next-unread')} goes to the next unread line.`,
					)
				: view;
		},
	},
	{
		// A person who selected a choice by its letter presses Enter next: as a yes it would confirm an unread question, as a no it would seem to have no effect.
		...{name: 'neither', keys: ['enter']},
		help: 'tells you which keys answer',
		where: ['confirming'],
		run: context => {
			const [yes, said] = isApart(context) ? ['yes-with-that', 'yes, with that'] : ['yes', 'yes'];
			const words = `${actionKey(context, yes)} is ${said}; ${actionKey(context, 'no')} is no.`;
			return withNotice(context.view, 'info', `Enter answers nothing here: ${words}`);
		},
	},
];

const send = (context: Context): Outcome => {
	const {view} = context;
	const {dialog} = view;
	if (!isWriting(dialog) || dialog.kind === 'path') {
		return view;
	}

	const {text} = dialog.draft;
	if (text.trim() === '') {
		return withNotice(view, 'warn', 'There is nothing to send yet.');
	}

	switch (dialog.kind) {
		case 'comment':
			return keepComment(context, dialog);
		case 'note':
			return decide(context, dialog.choice, {note: text});
		case 'answer':
			return view.place.at === 'questions'
				? keepAnswer(context, text)
				: decide(context, text, {note: ''});
		case 'profile': {
			const {agent, item} = dialog;
			const profile = text.trim();
			const order = {verb: 'restart', from: null, ...defined({item})};
			return sent(context, {
				do: 'ask',
				request: {do: 'steer', agent, order, profile},
				done: `${agent} starts over as ${profile}`,
			});
		}
		case 'message': {
			const switching = dialog.now ? undefined : switchIn(text);
			const message: AgentOrder = {verb: 'message', text, ...(dialog.now ? {now: true} : {})};
			const order = switching ?? asCommand(message, ownCommands(context));
			const request = {do: 'steer', agent: dialog.agent, order} as const;
			const done =
				switching !== undefined
					? `${dialog.agent} is switched from its next turn on`
					: dialog.now
						? `${dialog.agent} is interrupted, and told`
						: `${dialog.agent} ${isOwnCommand(context) ? 'is sent it' : 'is told'} ${whenReadIn(context)}`;
			return sent(context, {do: 'ask', request, done});
		}
	}
};
