import type {z} from 'zod';
import type {orderSchema} from './order-schema.ts';
import type {Frozen} from './plan.ts';

/** A person's order to one agent. Commands without schemas need it, so the schema is in another file. */
export type AgentOrder = Frozen<z.infer<typeof orderSchema>>;

/** Returns the switch in a message to an agent: `/model NAME` or `/mode NAME`, commands that people know. */
export const switchIn = (text: string): Extract<AgentOrder, {verb: 'switch'}> | undefined => {
	const [, what, to = ''] = /^\/(model|mode)[ \t]+(\S+)[ \t]*$/.exec(text) ?? [];
	return what === 'model' || what === 'mode' ? {verb: 'switch', what, to} : undefined;
};

/** A command that an agent announced; people type its name after a `/`. */
export type SlashCommand = {readonly name: string; readonly description: string};

/** Returns the announced command with which a text begins, if any. */
export const announcedIn = (
	text: string,
	announced: readonly SlashCommand[] = [],
): SlashCommand | undefined => {
	const [, typed] = /^\/(\S+)/.exec(text) ?? [];
	return announced.find(({name}) => name === typed);
};

/** Returns an order in the form to send: a message that begins with an announced command becomes one. */
export const asCommand = (order: AgentOrder, announced?: readonly SlashCommand[]): AgentOrder =>
	order.verb === 'message' && announcedIn(order.text, announced) !== undefined
		? {...order, command: true}
		: order;
