/**
Reply of a person's decision to the waiting agent.

The headings are those of the resume prompts; `PROTOCOL, Resume prompts`.
*/
export type Reply = {
	/** The decided item. */
	readonly item: string;
	readonly heading: ReplyHeading;
	/** The agent's words to which it replies. */
	readonly about: string;
	/** The person's words. */
	readonly text: string;
	/** The agent's id for its question, if it gave one. */
	readonly question?: string;
	/** The agent's status when it asked, in its own words. */
	readonly workStatus?: WorkStatus;
	/** Work that it could not do, in its own words. */
	readonly work?: string;
	/** Command that was run to remove its blocker. */
	readonly ran?: Ran;
	/** Snapshot to which its worktree was reset; absent if it wasn't. */
	readonly from?: number;
	/** The agent that got its delegated work, with the subtask. */
	readonly newAgent?: {readonly id: string; readonly subtask: string};
	/** Agreement that both need, in the asking agent's words. */
	readonly coordination?: string;
	/** The agent whose results it waited for, and the reason why that one's files could not be merged under its own. */
	readonly results?: {readonly of: string; readonly apart?: string};
	/** Name of the question file; an agent that still works finds its answer beside it. */
	readonly file?: string;
	/** Set if the agent left the question to a person and ended its turn. */
	readonly escalated?: true;
	/** Checkpoint file from which the agent continues. */
	readonly checkpoint?: string;
	/** Set if no person was asked, since too many of its questions are waiting already. */
	readonly heldBack?: true;
	/** Set if the text is a command of the agent, which is sent unchanged before its next prompt. */
	readonly command?: true;
	/** Set if its turn is ended for this, and never continues without it. */
	readonly cutsShort?: true;
};

/** An agent's status in its own words. */
export type WorkStatus = {
	/** Step at which it was. */
	readonly blockedAt?: string;
	/** Work done so far. */
	readonly currentState?: string;
	readonly completed?: string;
	readonly files?: readonly string[];
	readonly next?: string;
};

/** A command that a person ran in an agent's worktree. */
export type Ran = {
	readonly command: string;
	/** Null if a signal ended it, or it could not start. */
	readonly code: number | null;
	/** Last lines of its output. */
	readonly tail: readonly string[];
};

/**
A person's answer to a permission request.

Unlike a reply it is only valid for the turn that waits for it.
*/
export type Permit = {
	/** The decided item. */
	readonly item: string;
	/** The agent's request, as in `permission.asked`. */
	readonly request: string;
	readonly allowed: boolean;
	/** The person's words. */
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

/** Reasons why a move of the target was refused or failed. */
export const refusedCauses = [
	'dirty-checkout',
	'untracked-files',
	'ignored-files',
	'target-moved',
	'no-target',
	'in-progress',
	'locked',
	/** An earlier move was interrupted, and its remains can't be distinguished from the person's changes. */
	'interrupted',
	/** A disk is full. */
	'no-room',
	/** The person's git settings differ from those of the approved result. */
	'settings-changed',
	'other',
] as const;

export type RefusedCause = (typeof refusedCauses)[number];

/** Returns whether this version knows a cause; another version may have written the journal. */
export const isRefusedCause = (cause: string): cause is RefusedCause =>
	(refusedCauses as readonly string[]).includes(cause);
