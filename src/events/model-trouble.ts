/** What stands between an agent and its model; `unknown` is all that tells nothing of itself. */
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

/** Trouble of an agent with its model, or with the service that runs it. */
export type ModelTrouble = {
	readonly kind: TroubleKind;
	/** What was said about it, on one line that a person reads at a glance. */
	readonly said: string;
	/** How long the service asked to wait before the next request, in milliseconds, where that was told. */
	readonly retryAfterMs?: number;
};
