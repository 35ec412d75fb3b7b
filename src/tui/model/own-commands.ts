import {announcedIn, type SlashCommand, switchIn} from '../../events/agent-order.ts';
import {whenRead} from '../../rules/status.ts';
import {agentOf} from '../../state/select.ts';
import type {Context} from './view.ts';

/** Returns the slash commands of the agent that the person is writing to. */
export const ownCommands = ({
	model: {state},
	view: {dialog},
}: Pick<Context, 'model' | 'view'>): readonly SlashCommand[] =>
	dialog.kind === 'message' ? (agentOf(state, dialog.agent)?.commands ?? []) : [];

/** Returns the commands whose names continue the written text. */
export const completions = (
	context: Pick<Context, 'model' | 'view'>,
): readonly [SlashCommand, ...SlashCommand[]] | undefined => {
	const {dialog} = context.view;
	const text = dialog.kind === 'message' ? dialog.draft.text : '';
	const [first, ...others] = text.startsWith('/')
		? ownCommands(context).filter(({name}) => name !== text.slice(1) && `/${name}`.startsWith(text))
		: [];
	return first === undefined ? undefined : [first, ...others];
};

/** Returns whether the written text is a slash command of the agent. */
export const isOwnCommand = (context: Pick<Context, 'model' | 'view'>): boolean => {
	const {dialog} = context.view;
	return (
		dialog.kind === 'message' &&
		switchIn(dialog.draft.text) === undefined &&
		announcedIn(dialog.draft.text, ownCommands(context)) !== undefined
	);
};

/** Returns when the agent reads the message. */
export const whenReadIn = (context: Pick<Context, 'model' | 'view'>): string => {
	const {
		model: {state},
		view: {dialog},
	} = context;
	const agent = dialog.kind === 'message' ? agentOf(state, dialog.agent) : undefined;
	return agent === undefined
		? 'at its next turn'
		: whenRead(agent, isOwnCommand(context) ? {command: true} : {});
};
