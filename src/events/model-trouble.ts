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
	/** The model reached its limit for one turn. */
	| 'limit'
	| 'unknown';

/** A limit of a login's requests to its models, and its reset time. */
export type ModelLimit = {
	/** The agent's name for it: `5-hour limit`, `daily quota`. */
	readonly name: string;
	/** Time from which requests are accepted again; in wall-clock time, since it passes while the machine sleeps. */
	readonly until: string;
	/** Set if it is only for the agent's model. */
	readonly ofModel?: true;
	/** Other agents of the plan with the same login, to which it also applies. */
	readonly shared?: readonly string[];
};

/** Trouble of an agent with its model, or with the service that runs it. */
export type ModelTrouble = {
	readonly kind: TroubleKind;
	/** The error message, on one short line. */
	readonly said: string;
	/** Time that the service asked to wait before the next request, in milliseconds, if it is no limit. */
	readonly retryAfterMs?: number;
	readonly limit?: ModelLimit;
};

/** A way to log in that an agent announces. */
export type LoginWay = {
	/** The agent's name for it. */
	readonly id: string;
	/** Its title and description for people. */
	readonly title: string;
	/** Command for a person to type if it needs a terminal; the agent can't start it then. */
	readonly command?: string;
};

/** Files in an agent's scope that git leaves out of every snapshot. */
export type HiddenWork = {
	/** `rule`: the agent wrote an ignore rule that matches them. `force`: they were ignored before, and it added them anyway. */
	readonly by: 'rule' | 'force';
	/** First paths. */
	readonly paths: readonly string[];
	readonly count: number;
};
