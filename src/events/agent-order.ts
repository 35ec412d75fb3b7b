import type {NamedProgram} from './plan.ts';

/**
A person's order to one agent, in any state and without an item of the inbox.

- `message`: tells it something at its next turn; `now` ends the current turn for that, and with `command` the text is sent unchanged, as a command that the agent announced.
- `pause`: ends its turn, and starts none; `resume` continues, with words if there are any. With a `visit` a person enters its worktree or leaves it: it stays paused as long as any visit lasts.
- `restart`: starts over in a new conversation, from a snapshot or the current files (null), optionally with another program.
- `switch`: continues the conversation in its next turn with this model, or in this mode.
- `grant`: allows it to write these paths, and restores its reverted changes there.
- `check`: runs the plan's checks on its last snapshot.
- `stop`: removes it from the session and keeps its work.
*/
export type AgentOrder =
	| {
			readonly verb: 'message';
			readonly text: string;
			readonly now?: true;
			readonly command?: true;
	  }
	| {readonly verb: 'pause'; readonly visit?: string}
	| {readonly verb: 'resume'; readonly text?: string; readonly visit?: string}
	| {
			readonly verb: 'restart';
			readonly from: number | null;
			/** Its new profile, with the program. */
			readonly as?: NamedProgram;
			/** The person's words to it. */
			readonly text?: string;
			/** The failure that this answers: once that is decided, the agent doesn't start over. */
			readonly item?: string;
	  }
	| {readonly verb: 'switch'; readonly what: 'model' | 'mode'; readonly to: string}
	| {readonly verb: 'grant'; readonly paths: readonly string[]}
	| {readonly verb: 'check'}
	| {readonly verb: 'stop'};

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
