/** Counts of the results of some merges. */
export type Tally = {
	readonly merges: number;
	readonly gitConflicts: number;
	/** Our verdict, or a conflicted path, differs from git's. */
	readonly disagree: number;
	/** Merges that git makes and that are unaltered. */
	readonly clean: number;
	readonly blocked: number;
	/** Merges that git makes and a person altered. */
	readonly altered: number;
	readonly flagged: number;
	/** Merges with repaired code, in a supported language. */
	readonly mended: number;
	/** Of those: with a finding, and with one in a repaired file. */
	readonly found: number;
	readonly foundThere: number;
};

/** Counts without any merge. */
export const nothing: Tally = {
	merges: 0,
	gitConflicts: 0,
	disagree: 0,
	clean: 0,
	blocked: 0,
	altered: 0,
	flagged: 0,
	mended: 0,
	found: 0,
	foundThere: 0,
};

/** Returns the sum of two tallies. */
export const sum = (one: Tally, other: Tally): Tally => ({
	merges: one.merges + other.merges,
	gitConflicts: one.gitConflicts + other.gitConflicts,
	disagree: one.disagree + other.disagree,
	clean: one.clean + other.clean,
	blocked: one.blocked + other.blocked,
	altered: one.altered + other.altered,
	flagged: one.flagged + other.flagged,
	mended: one.mended + other.mended,
	found: one.found + other.found,
	foundThere: one.foundThere + other.foundThere,
});
