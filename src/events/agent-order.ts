import type {NamedProgram} from './plan.ts';

/**
An order of a person to one agent, in any state and without an item of the inbox.

- `message`: it is told something at its next turn; with `now` its turn is cut short for it, and with `command` it is sent as it stands, as a command that the agent announced.
- `pause`: its turn is ended, and none begins; `resume` lets it go on, with words if there are any. With a `visit` they say that a person enters its worktree, and leaves it: while somebody is in there it stays paused.
- `restart`: it starts over, in a new conversation, from a snapshot or where it stands (null), maybe as another program.
- `switch`: its next turn goes on in the same conversation with this model, in this mode.
- `grant`: it may write these paths after all, and what it changed there and was reverted comes back.
- `check`: the plan's checks are run on its last snapshot.
- `stop`: it is out of the session; its work is kept.
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
			/** The profile that it is from now on, and what that says. */
			readonly as?: NamedProgram;
			/** The person's words to it. */
			readonly text?: string;
			/** The failure that it answers: nothing starts over once that is decided. */
			readonly item?: string;
	  }
	| {readonly verb: 'switch'; readonly what: 'model' | 'mode'; readonly to: string}
	| {readonly verb: 'grant'; readonly paths: readonly string[]}
	| {readonly verb: 'check'}
	| {readonly verb: 'stop'};

/** Returns what words to an agent say that are not for it: `/model NAME` and `/mode NAME`, by which people know to switch. */
export const switchIn = (text: string): Extract<AgentOrder, {verb: 'switch'}> | undefined => {
	const [, what, to = ''] = /^\/(model|mode)[ \t]+(\S+)[ \t]*$/.exec(text) ?? [];
	return what === 'model' || what === 'mode' ? {verb: 'switch', what, to} : undefined;
};

/** A command of an agent's own that it announced; people type its name behind a `/`. */
export type SlashCommand = {readonly name: string; readonly description: string};

/** Returns the command that a text begins with, of those that an agent announced. */
export const announcedIn = (
	text: string,
	announced: readonly SlashCommand[] = [],
): SlashCommand | undefined => {
	const [, typed] = /^\/(\S+)/.exec(text) ?? [];
	return announced.find(({name}) => name === typed);
};

/** Returns an order as it is sent: a message that begins with a command of the agent's own has it run that. */
export const asCommand = (order: AgentOrder, announced?: readonly SlashCommand[]): AgentOrder =>
	order.verb === 'message' && announcedIn(order.text, announced) !== undefined
		? {...order, command: true}
		: order;
