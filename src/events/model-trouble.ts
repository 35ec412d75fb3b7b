/** Kind of trouble with an agent's model; `unknown` if the error doesn't tell. */
export type TroubleKind =
	| 'login'
	| 'access'
	| 'credit'
	| 'rate'
	| 'overloaded'
	| 'service'
	| 'network'
	| 'context'
	| 'model'
	| 'request'
	| 'refused'
	/** The model reached the most that it may do in a turn. */
	| 'limit'
	| 'unknown';

/** A limit on what a login may ask of its models, which somebody paid for or was given, and when it resets. */
export type ModelLimit = {
	/** The agent's name for it: `5-hour limit`, `daily quota`. */
	readonly name: string;
	/** The time from which on requests are taken again; by the clock, since it passes while the machine sleeps. */
	readonly until: string;
	/** It holds only for the agent's model. */
	readonly ofModel?: true;
	/** The other agents of the plan that it holds for, since they work with the same login. */
	readonly shared?: readonly string[];
};

/** Trouble of an agent with its model, or with the service that runs it. */
export type ModelTrouble = {
	readonly kind: TroubleKind;
	/** The error message, on one short line. */
	readonly said: string;
	/** How long the service asked to wait before the next request, in milliseconds, where that was told and is no limit. */
	readonly retryAfterMs?: number;
	readonly limit?: ModelLimit;
};

/** A way to log in that an agent announces. */
export type LoginWay = {
	/** The agent's own name for it. */
	readonly id: string;
	/** Its title and description for people. */
	readonly title: string;
	/** Command that a person types, if it needs a terminal; the agent can't start it then. */
	readonly command?: string;
};

/** Files of an agent's in its scope that git leaves out of every snapshot. */
export type HiddenWork = {
	/** Since the agent wrote an ignore rule that matches them, or since they were ignored before and it told git to take them all the same. */
	readonly by: 'rule' | 'force';
	/** The first of them. */
	readonly paths: readonly string[];
	readonly count: number;
};
