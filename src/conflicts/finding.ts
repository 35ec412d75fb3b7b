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

/** Returns the key of a rule's finding at a path; names distinguish several findings at one path. */
export const keyOf = (
	rule: RulesByType[keyof RulesByType],
	path: string,
	...names: readonly string[]
): string => [rule, path, ...names].join(' ');

/** One of the compared sides. */
export type Side = {
	/** Commit or tree. */
	readonly commit: string;
	/** Its changes from the base, with blobs and modes before and after; a rename is a deletion and an addition. */
	readonly changes: readonly Change[];
};

/** Two sides, their base, and git's merge of them. */
export type Comparison = {
	/** Store with all objects below, in which new ones may be written. */
	readonly store: Store;
	/** Commit or tree. */
	readonly base: string;
	readonly a: Side;
	readonly b: Side;
	/** Trees of further works in the merged tree: an error of one of them alone is its own. */
	readonly beside?: readonly string[];
	/** Git's own merge, whose verdict counts. */
	readonly merge: MergeResult;
	/** Tree of that merge or, if git can't make it, one with a side's lines at each conflict. */
	readonly merged: string;
	/** Aborted when the result is no longer needed. */
	readonly signal: AbortSignal;
};

/** Finds conflicts of one type. It only reads objects, and finds the same in the same comparison. */
export type Detector<Type extends ConflictType> = (
	comparison: Comparison,
) => Promise<readonly FindingOf<Type>[]>;
