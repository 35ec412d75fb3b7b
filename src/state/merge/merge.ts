import type {BodyOf, FailureLocation, LogFile, TreeEntry} from '../../events/event.ts';
import type {AcceptedBreakage, CommandRun} from '../../events/kinds/merge-event.ts';
import type {ItemOf} from '../item.ts';

/** How a conflict was resolved, as far as the next build has to know it. */
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
			/** The paths that it is about, where that is not the conflict's path alone. */
			readonly mends?: readonly string[];
			/** Agents in the merge at that time: the files may hold merged lines of all of them. */
			readonly among?: readonly string[];
			/** Agents whose other changes at the path were left out, if snapshots settled it in part. */
			readonly without?: readonly string[];
			/** The item that it settles; none where snapshots settled it. */
			readonly settles?: SettledItem;
	  }
	/** The breakage of that key is let be; it changes nothing. The approval names it, found again or not. */
	| {
			readonly choice: 'accept';
			readonly key: string;
			readonly found: Omit<AcceptedBreakage, 'path' | 'a' | 'b'>;
	  };

/** An item as it is open again where what was taken left it unsettled. */
export type SettledItem = Pick<ItemOf<'conflict'>, 'id' | 'number' | 'opened' | 'manual'> & {
	/** Key of the breakage. */
	readonly key?: string;
};

/** A path as a person left it; `entry` is null where it was deleted. */
export type ResolvedFile = {readonly path: string; readonly entry: TreeEntry | null};

/** A commit that holds all accepted work on the target's tip. */
export type Built = Omit<BodyOf<'merge.built'>, 'kind'>;

/** Result of the check on a built commit. */
export type Verified = {
	readonly ok: boolean;
	readonly commands: readonly CommandRun[];
	readonly log: LogFile | null;
	/** Where it failed, as far as that could be read. */
	readonly places?: readonly FailureLocation[];
	/** Results of checked parts, after a failure. */
	readonly parts?: CheckedParts;
};

/** Check results for parts of a failed result. */
export type CheckedParts = {
	/** Number of the event that told of the failed check. */
	readonly since: number;
	readonly runs: readonly PartRun[];
};

/** Check result for one part: no agents means the target alone, all agents the same result again. */
export type PartRun = Omit<BodyOf<'part.checked'>, 'kind' | 'since'>;

/** Result of a check on a tree. */
export type CheckedTree = {
	readonly tree: string;
	readonly ok: boolean;
	readonly places: readonly FailureLocation[];
	/** The commands, if all ran, so that a result with this tree needs no other check. */
	readonly ran?: Pick<Verified, 'commands' | 'log'>;
};

/**
How far the way from accepted work to the moved target has come; once it is published it begins anew, with what is left.

`blocked` waits for conflicts to be resolved, `failed` for a person's word on why nothing could be put together. Each later phase holds what the next one needs as an argument: there is no way to publish without an approval of exactly this commit, nor to approve what was not checked.
*/
export type Merge =
	| {readonly phase: 'none'}
	| {readonly phase: 'blocked' | 'failed'; readonly agents: readonly string[]}
	/** `due`: the event since which its check is due, the building or a person's request to check again. */
	| {
			readonly phase: 'built';
			readonly built: Built;
			readonly due: {readonly seq: number; readonly at: string};
	  }
	| {readonly phase: 'verified'; readonly built: Built; readonly verified: Verified}
	| {
			readonly phase: 'approved';
			readonly built: Built;
			readonly verified: Verified;
			readonly approval: string;
	  }
	| {
			readonly phase: 'intended';
			readonly built: Built;
			readonly verified: Verified;
			readonly approval: string;
			readonly since: string;
	  };

/** A move of the target from one commit to another. */
export type TargetStep = {readonly from: string; readonly to: string};

/** A move of the target that was about to begin when it was written. */
export type Intent = TargetStep & {readonly since: string};

/**
A result that was published: the target holds it, or a person took it back. From then on it is outdated as soon as an agent goes on with work that is in it.

Of a session that has ended this is all that can still change.
*/
export type Publication = {
	readonly phase: 'standing' | 'undone' | 'outdated';
	/** People know the merge by the commit that was built, wherever the target stands. */
	readonly built: Built;
	readonly verified: Verified;
	/** The move of the target that led here: what the next undo turns round. */
	readonly last: TargetStep;
	/** That undo, while it is under way. */
	readonly intent?: Intent;
};
