import type {ConflictType, FindingOf, RulesByType} from '../events/finding.ts';
import type {MergeResult} from '../git/merge/merge-tree.ts';
import type {Store} from '../git/store/store.ts';
import type {Change} from '../git/tree/changes.ts';

export type {
	Confidence,
	ConflictType,
	Evidence,
	FileConflictKind,
	Finding,
	FindingOf,
	RulesByType,
} from '../events/finding.ts';

/** Returns the key of what a rule found at a path; names tell apart several things at one path. */
export const keyOf = (
	rule: RulesByType[keyof RulesByType],
	path: string,
	...names: readonly string[]
): string => [rule, path, ...names].join(' ');

/** One of the two that are compared. */
export type Side = {
	/** A commit or a tree. */
	readonly commit: string;
	/** Its changes to the base, with blobs and modes before and after; a rename is a deletion and an addition. */
	readonly changes: readonly Change[];
};

/** Two sides, their base, and what git makes of them. */
export type Comparison = {
	/** Holds all of the objects below, and may be written into. */
	readonly store: Store;
	/** A commit or a tree. */
	readonly base: string;
	readonly a: Side;
	readonly b: Side;
	/** Trees of further works that are in the merged tree: what is wrong with one of them by itself is its own. */
	readonly beside?: readonly string[];
	/** Git's own merge; its verdict stands. */
	readonly merge: MergeResult;
	/** The tree of that merge; where git can't make it, one that takes a side wherever the two collide. */
	readonly merged: string;
	/** Aborts when nobody wants the answer any more. */
	readonly signal: AbortSignal;
};

/** Finds conflicts of one type. It reads objects only, and finds the same in the same comparison. */
export type Detector<Type extends ConflictType> = (
	comparison: Comparison,
) => Promise<readonly FindingOf<Type>[]>;
