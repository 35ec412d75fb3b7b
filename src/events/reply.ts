/**
What a person's decision says to the agent that waited for it.

The headings are those of the resume prompts; `PROTOCOL, Resume prompts`.
*/
export type Reply = {
	/** The item that was decided. */
	readonly item: string;
	readonly heading: ReplyHeading;
	/** What the agent had said or asked. */
	readonly about: string;
	/** What the person said to it. */
	readonly text: string;
	/** The id by which the agent named its question, when it gave one. */
	readonly question?: string;
	/** Where the agent stood when it asked, in its own words. */
	readonly stood?: {readonly blockedAt?: string; readonly currentState?: string};
	/** Name of the file in which it asked; one that still works finds its answer beside it. */
	readonly file?: string;
	/** Set when it left the question to a person and ended its turn. */
	readonly escalated?: true;
	/** Where it keeps what it needs to go on. */
	readonly checkpoint?: string;
	/** Its turn is ended for this, and never goes on without it. */
	readonly cutsShort?: true;
};

/**
What a person's decision says to an agent that asked before it acted.

Unlike a reply it is good for the turn that waits for it, and for no other.
*/
export type Permit = {
	/** The item that was decided. */
	readonly item: string;
	/** The agent's request, as `permission.asked` named it. */
	readonly request: string;
	readonly allowed: boolean;
	/** What the person said to it. */
	readonly note?: string;
};

export type ReplyHeading =
	| 'CLARIFICATION RESPONSE'
	| 'BLOCKER RESOLVED'
	| 'ERROR FIXED'
	| 'SKIP'
	| 'PARTIAL RESUME'
	| 'DELEGATION APPROVED'
	| 'DELEGATION REJECTED'
	| 'SCOPE DECISION'
	| 'CHECKPOINT REVIEWED'
	| 'REVIEW FEEDBACK'
	| 'MERGE CONFLICT'
	| 'TIME EXTENDED'
	| 'MESSAGE'
	| 'LET GO ON'
	| 'STARTED ANEW';
