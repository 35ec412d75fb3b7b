/** A commit with the details that people know. */
type NamedCommit = {
	readonly commit: string;
	readonly author: string;
	readonly subject: string;
};

/** Commits on the target since the session began, except its own merges. */
export type TargetMove = {
	/** The target's commit at that time. */
	readonly base: string;
	/** True if the target no longer contains that commit. */
	readonly rewritten: boolean;
	/** Latest commits, newest first. */
	readonly commits: readonly NamedCommit[];
	/** Number of commits before them. */
	readonly more: number;
};
