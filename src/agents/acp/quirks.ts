/** Differences of a vendor's agent from the protocol. */
export type Quirks = {
	/** How a person logs in, to follow "to log in". */
	readonly login?: string;
	/** Oldest supported version, and the shell command that installs a newer one. */
	readonly oldest?: {readonly version: string; readonly install: string};
	/** Extension fields of the request that opens a conversation. */
	readonly meta?: Readonly<Record<string, unknown>>;
	/** Mode to select, if the agent offers it. */
	readonly mode?: string;
	/** True if it replays an earlier conversation after it has answered the request to resume it. */
	readonly playsLate?: boolean;
	/** True if it reads a prompt that comes during a turn within that turn; others cancel their work for it. */
	readonly joinsPrompts?: boolean;
	/** True if it adds the file of a bare `@path` to its request, regardless of the author and of the file's place. */
	readonly expandsMentions?: boolean;
	/** Matches messages of its program that look like its model's, without a name or a line end. */
	readonly notices?: RegExp;
	/** First word of its last message if its model failed; it then ends its turn as if it had succeeded, and reports no tokens. */
	readonly failsBy?: string;
	/** True if the context size that it reports during a turn is the size of its latest model request. */
	readonly countsRequests?: boolean;
	/** True if the tokens that it reports at the end of a turn are those of all turns of its process. */
	readonly countsOn?: boolean;
	/** Asks its own server for the usage of a conversation, if the protocol reports less: the tokens since the last call, and the money in total. */
	readonly spent?: (conversation: string) => Promise<ServerCount | undefined>;
	/** Reminder that outlasts compaction, sent as its system prompt if it supports one. */
	readonly reminder?: string;
};

/** Usage that the server of an agent reports. */
export type ServerCount = {readonly tokens: number; readonly dollars: number};
