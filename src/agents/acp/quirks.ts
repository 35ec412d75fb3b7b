/** How one vendor’s agent is met, beside what the protocol says. */
export type Quirks = {
	/** How a person logs in, as what follows "to log in". */
	readonly login?: string;
	/** Oldest version that is talked to, and the shell command that brings a newer one. */
	readonly oldest?: {readonly version: string; readonly install: string};
	/** Goes along when a conversation is opened, as the agent's own extension of the protocol. */
	readonly meta?: Readonly<Record<string, unknown>>;
	/** The mode that it is put into where it offers it. */
	readonly mode?: string;
	/** Whether it plays an earlier conversation once more after it has answered that it has taken it up. */
	readonly playsLate?: boolean;
	/** Whether it reads a prompt that comes in a turn within that turn; others cancel what they are doing for it. */
	readonly joinsPrompts?: boolean;
	/** Whether it puts the file that a bare `@path` names into its request, whoever wrote that and wherever the file lies. */
	readonly expandsMentions?: boolean;
	/** Words of its own that it says as the model's, without a name or a line end. */
	readonly notices?: RegExp;
	/** The word that begins what it says last, as its model's, where its model failed; it then ends its turn as if all were well, and tells no tokens. */
	readonly failsBy?: string;
	/** A reminder that outlasts compaction, sent as its system prompt where it takes one. */
	readonly reminder?: string;
};
