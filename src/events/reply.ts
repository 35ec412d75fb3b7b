/**
Reply of a person's decision to the waiting agent.

The headings are those of the resume prompts; `PROTOCOL, Resume prompts`.
*/
export type Reply = {
	/** The item that was decided. */
	readonly item: string;
	readonly heading: ReplyHeading;
	/** The agent's words that it replies to. */
	readonly about: string;
	/** What the person said to it. */
	readonly text: string;
	/** The id by which the agent named its question, when it gave one. */
	readonly question?: string;
	/** Where the agent stood when it asked, in its own words. */
	readonly workStatus?: WorkStatus;
	/** The work that it could not do, in its own words. */
	readonly work?: string;
	/** The command that was run to clear what blocked it. */
	readonly ran?: Ran;
	/** The snapshot that its worktree was set back to; absent where it stands as it was left. */
	readonly from?: number;
	/** The agent that its work was handed on to, and as what. */
	readonly newAgent?: {readonly id: string; readonly subtask: string};
	/** What both must agree on, in the asking agent's words. */
	readonly coordination?: string;
	/** The agent whose results it waited for and is told now, and why that one's files could not be put under its own. */
	readonly results?: {readonly of: string; readonly apart?: string};
	/** Name of the file in which it asked; one that still works finds its answer beside it. */
	readonly file?: string;
	/** Set when it left the question to a person and ended its turn. */
	readonly escalated?: true;
	/** Where it keeps what it needs to go on. */
	readonly checkpoint?: string;
	/** Set where nobody was asked, since too many questions of it wait already. */
	readonly heldBack?: true;
	/** Set where the text is a command of the agent's own, which it is sent as it stands before its next prompt. */
	readonly command?: true;
	/** Its turn is ended for this, and never goes on without it. */
	readonly cutsShort?: true;
};

/** Where an agent stands by its own words. */
export type WorkStatus = {
	/** The step that it was at. */
	readonly blockedAt?: string;
	/** Work done so far. */
	readonly currentState?: string;
	readonly completed?: string;
	readonly files?: readonly string[];
	readonly next?: string;
};

/** A command that a person had run in an agent's worktree. */
export type Ran = {
	readonly command: string;
	/** Null when it was ended by a signal, or could not be started. */
	readonly code: number | null;
	/** The last lines that it printed. */
	readonly tail: readonly string[];
};

/**
A person's answer to a permission request.

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
	| 'TIME LIMIT'
	| 'TOKEN LIMIT'
	| 'TIME EXTENDED'
	| 'MESSAGE'
	| 'LET GO ON'
	| 'STARTED ANEW';

/** Why a move of the target was refused, or came to nothing. */
export const refusedCauses = [
	'dirty-checkout',
	'untracked-files',
	'ignored-files',
	'target-moved',
	'no-target',
	'in-progress',
	'locked',
	/** An earlier move was cut off, and what it left can't be told from the person's. */
	'interrupted',
	/** A disk is full. */
	'no-room',
	/** The person's git goes by something else than the result was approved with. */
	'settings-changed',
	'other',
] as const;

export type RefusedCause = (typeof refusedCauses)[number];

/** Returns whether this version knows a cause; a journal may be of another one. */
export const isRefusedCause = (cause: string): cause is RefusedCause =>
	(refusedCauses as readonly string[]).includes(cause);
