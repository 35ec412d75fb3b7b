/** What came of some merges, counted. */
export type Tally = {
	readonly merges: number;
	readonly gitConflicts: number;
	/** Our verdict, or a conflicted path, is not git's. */
	readonly disagree: number;
	/** Git makes them and nobody altered them. */
	readonly clean: number;
	readonly blocked: number;
	/** Git makes them and a person altered them. */
	readonly altered: number;
	readonly flagged: number;
	/** A person changed code in it, in a language that is read. */
	readonly mended: number;
	/** Of those: something was found, and in a file that the person changed. */
	readonly found: number;
	readonly foundThere: number;
};

/** What came of no merge at all. */
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

/** Returns what came of both. */
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
