/** A commit as a person knows it. */
type NamedCommit = {
	readonly commit: string;
	readonly author: string;
	readonly subject: string;
};

/** Commits on the target since the session began, except its own merges. */
export type TargetMove = {
	/** Where the target stood then. */
	readonly base: string;
	/** Whether what was there then is there no more. */
	readonly rewritten: boolean;
	/** The last commits, newest first. */
	readonly commits: readonly NamedCommit[];
	/** How many there are before them. */
	readonly more: number;
};
