import {announcedIn, type SlashCommand, switchIn} from '../../events/agent-order.ts';
import {whenRead} from '../../rules/status.ts';
import {agentOf} from '../../state/select.ts';
import type {Context} from './view.ts';

/** Returns the commands that the agent announced to which a person writes. */
export const ownCommands = ({
	model: {state},
	view: {dialog},
}: Pick<Context, 'model' | 'view'>): readonly SlashCommand[] =>
	dialog.kind === 'message' ? (agentOf(state, dialog.agent)?.commands ?? []) : [];

/** Returns those of them whose names go on from what the person has written. */
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

/** Returns whether what the person writes is a command of the agent's own. */
export const isOwnCommand = (context: Pick<Context, 'model' | 'view'>): boolean => {
	const {dialog} = context.view;
	return (
		dialog.kind === 'message' &&
		switchIn(dialog.draft.text) === undefined &&
		announcedIn(dialog.draft.text, ownCommands(context)) !== undefined
	);
};

/** Returns when the agent to which the person writes reads it. */
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
