import type {BodyOf, TreeEntry} from '../../events/event.ts';
import type {AcceptedBreakage} from '../../events/kinds/merge-event.ts';
import type {ItemOf} from '../item.ts';

/** A resolution of a conflict, with the data that the next build needs. */
export type Resolution = {
	readonly path: string;
	readonly a: readonly string[];
	readonly b: readonly string[];
} & Resolved;

/** A person's resolution of a conflict. */
export type Resolved =
	| {
			readonly choice: 'choose-one';
			readonly winner: readonly string[];
			/** Paths that the other side gives up, if not the conflict's path. */
			readonly gives?: readonly string[];
	  }
	| {
			readonly choice: 'manual';
			readonly files: readonly ResolvedFile[];
			/** Paths that it resolves, if not only the conflict's. */
			readonly mends?: readonly string[];
			/** Agents in the merge at that time: the files may hold merged lines of all of them. */
			readonly among?: readonly string[];
			/** Agents whose other changes at the path are omitted, if snapshots settled it in part. */
			readonly without?: readonly string[];
			/** Item that it settles; absent if snapshots settled it. */
			readonly settles?: SettledItem;
	  }
	/** Accepts the breakage of that key, with no change. The approval names it even if it is not found again. */
	| {
			readonly choice: 'accept';
			readonly key: string;
			readonly found: Omit<AcceptedBreakage, 'path' | 'a' | 'b'>;
	  };

/** An item to open again if the taken files did not settle it. */
export type SettledItem = Pick<ItemOf<'conflict'>, 'id' | 'number' | 'opened' | 'manual'> & {
	readonly key?: string;
};

/** A path as a person left it; `entry` is null if it was deleted. */
export type ResolvedFile = {readonly path: string; readonly entry: TreeEntry | null};

/** A commit with all accepted work on the target's tip. */
export type Built = Omit<BodyOf<'merge.built'>, 'kind'>;

/** Result of the check on a built commit. */
export type Verified = Pick<BodyOf<'verify.ended'>, 'ok' | 'commands' | 'log' | 'places'> & {
	/** Results of checked parts, after a failure. */
	readonly parts?: CheckedParts;
};

/** Check results for parts of a failed result. */
export type CheckedParts = {
	/** Number of the failed check's event. */
	readonly since: number;
	readonly runs: readonly PartRun[];
};

/** Check result for one part: no agents means the target alone, all agents a second check of the same result. */
export type PartRun = Omit<BodyOf<'part.checked'>, 'kind' | 'since'>;

export type CheckedTree = Pick<BodyOf<'verify.ended'>, 'tree' | 'ok' | 'places'> & {
	/** Commands, if all ran, so that a result with this tree needs no other check. */
	readonly ran?: Pick<Verified, 'commands' | 'log'>;
};

/**
Progress from accepted work to the moved target; after publishing it starts again with the remaining work.

`blocked` waits for resolutions of conflicts, `failed` for a person's decision on why the merge could not be built. Each later phase contains the data that the next one needs: nothing can be published without an approval of exactly this commit, or approved without a check.
*/
export type Merge =
	| {readonly phase: 'none'}
	| {readonly phase: 'blocked' | 'failed'; readonly agents: readonly string[]}
	/** `due`: event since which its check is due: the build, or a person's request to check again. */
	| {
			readonly phase: 'built';
			readonly built: Built;
			readonly due: {readonly seq: number; readonly at: string};
	  }
	| ({readonly built: Built; readonly verified: Verified} & (
			| {readonly phase: 'verified'}
			| {readonly phase: 'approved'; readonly approval: string}
			| {readonly phase: 'intended'; readonly approval: string; readonly since: string}
	  ));

/** A move of the target from one commit to another. */
export type TargetStep = {readonly from: string; readonly to: string};

/** An intended move of the target, written before the move began. */
export type Intent = TargetStep & {readonly since: string};

/**
A published result: the target contains it, or a person undid it. It becomes outdated as soon as one of its agents continues its work.

After the end of a session only this can change.
*/
export type Publication = {
	readonly phase: 'standing' | 'undone' | 'outdated';
	/** The built commit, by which people know the merge, even after the target moved on. */
	readonly built: Built;
	readonly verified: Verified;
	/** Move of the target that led here, which the next undo reverses. */
	readonly last: TargetStep;
	/** The undo or redo under way. */
	readonly intent?: Intent;
};
