import type {Asker} from '../asker.ts';
import type {
	ConflictType,
	Evidence,
	Finding,
	FindingOf,
	SurfaceChange,
	UnreadFiles,
} from '../finding.ts';
import type {RefusedCause} from '../reply.ts';
import type {TargetMove} from '../target-move.ts';
import type {GitSettingsSeen} from './machine-event.ts';

/** Tree entry of a path: its mode and blob. */
export type TreeEntry = {readonly mode: string; readonly oid: string};

/** A file beside the journal, as it was when the event was written. */
export type LogFile = {readonly path: string; readonly bytes: number; readonly sha256: string};

/** A command of a check, with its exit code; null if a signal ended it or it could not start. */
export type CommandRun = {
	readonly command: string;
	readonly code: number | null;
	/** Ports of other programs that it used. */
	readonly ports?: readonly PortUse[];
};

/** A port of this machine, and the program that listens there: `node in ~/shop`. */
export type PortUse = {
	readonly port: number;
	readonly by: string;
	/** Set if another program may have used it instead. */
	readonly maybe?: true;
};

/** Location to which a failed check pointed, in its own words. */
export type FailureLocation = {
	/** Path in the checked tree. */
	readonly path: string;
	/** Counted from 1. */
	readonly line: number;
	/** Line of the output that names it, cut if it is long. */
	readonly text: string;
};

/** A conflict in the merge of all accepted work: git can't merge it, or its clean merge breaks something. */
export type Collision = FileCollision | Breakage;

/** Conflicting sides: agents' ids, or `target`. */
type Sides = {readonly a: readonly string[]; readonly b: readonly string[]};

/** Changes to one path that git can't merge. */
export type FileCollision = Sides & {
	readonly path: string;
	readonly type: 'FILE_CONFLICT';
	readonly summary: string;
	readonly stages: {
		readonly base: TreeEntry | null;
		readonly a: TreeEntry | null;
		readonly b: TreeEntry | null;
	};
	/** Each side's change, with its lines if they can be shown. */
	readonly evidence: readonly Evidence[];
	/** Further breakages between the sides; absent if there are none. */
	readonly breaks?: readonly BreaksBesides[];
};

/** A breakage besides a conflict that git can't merge. */
export type BreaksBesides = Omit<Breakage, 'files'> & {
	/** Choices that lead to it, as they are typed; absent if all choices that keep both works do. */
	readonly after?: readonly string[];
};

/** One agent's snapshots that apply, in order, to others' work in a conflict. */
export type Replayed = {
	/** Numbers of the snapshots that change its paths: those that apply, and those that don't. */
	readonly applied: readonly number[];
	readonly left: readonly number[];
	/** Files after the applied snapshots. */
	readonly files: readonly {readonly path: string; readonly entry: TreeEntry | null}[];
	/** Rest of the conflict, without the applied part; absent if all applied. */
	readonly rest?: FileCollision['stages'];
};

/** A breakage between works that git merges cleanly. */
export type Breakage = Sides &
	FoundTogether & {
		/** Files that show it, from the merge of all work; without deleted ones. */
		readonly files: readonly {readonly path: string; readonly entry: TreeEntry}[];
	};

/** A finding in a clean merge; it has no kind from git. */
type FoundTogether = {
	readonly [Type in ConflictType]: Omit<FindingOf<Type>, 'kind'>;
}[ConflictType];

export type AcceptedBreakage = Sides &
	Pick<Finding, 'type' | 'rule' | 'path' | 'summary' | 'confirmed'>;

export type CheckerRun = {
	readonly name: string;
	readonly version: string;
	/** Duration, in milliseconds. */
	readonly ms: number;
	/** Reason why it has no result; one sentence. */
	readonly failed?: string;
	/** Set if it would have exceeded its limits, which a person can raise. */
	readonly isOverBudget?: true;
};

/** A type checker without a result; `why` is one sentence. */
export type FailedChecker = {readonly by: string; readonly why: string};

/** How a result was checked for breakages: no finding is not the same as no check. */
export type Looked =
	| {
			readonly outcome: 'compared';
			/** Number of merges of two changed sides; 0 if one agent's work was merged into an unchanged target. */
			readonly merges: number;
			/** Type checkers that ran, or why they didn't. */
			readonly oracles: readonly CheckerRun[];
			/** Number of changed files that only git compared. */
			readonly unread: number;
			/** Those files, with reasons; absent if there are none. */
			readonly unreadFiles?: readonly UnreadFiles[];
			/** Type errors of the result itself: the first ones as text, and the number of others; absent if there are none. */
			readonly errors?: {readonly shown: readonly string[]; readonly more: number};
	  }
	| {readonly outcome: 'failed'; readonly why: string};

/** A line of a file that an agent changed. */
export type ChangedBy = Omit<Evidence, 'side'> & {readonly agent: string};

/** Changes of agents, or of the target, that the result lacks at a path because a person chose another side. */
export type LeftOut = {
	readonly path: string;
	readonly of: readonly string[];
	readonly kept: readonly string[];
	/** Set if part of them was applied before. */
	readonly inPart?: true;
};

/** A result that a person approved. */
export type PublishedResult = {
	/** The target's tree, and the result of the check on exactly that tree. */
	readonly tree: string;
	readonly checked: 'passed' | 'failed' | 'not';
	readonly leftOut?: readonly LeftOut[];
	readonly redoes?: never;
};

/** An undone merge was redone. */
type BroughtBack = {readonly redoes: string};

/** Events from accepted work to the moved target. */
export type MergeEvent =
	| (Collision & {
			readonly kind: 'conflict.found';
			/** The item to reopen: a resolved one whose files left this conflict open, or an open one whose `breaks` have changed. */
			readonly reopens?: string;
	  })
	/** Findings while agents work, recorded only when they change: conflicts that would block a merge of the two now, and notes, which don't. */
	| {
			readonly kind: 'work.compared';
			/** An agent's id. */
			readonly a: string;
			/** An agent's id, or `target`. */
			readonly b: string;
			/** Empty if nothing is found any more. */
			readonly findings: readonly Finding[];
			/** Number of further blocking ones. */
			readonly more: number;
			/** Files that only git compared, with reasons; absent if all were read. */
			readonly unread?: readonly UnreadFiles[];
			/** Type checkers that could not check the pair, with reasons; absent if there are none. */
			readonly unchecked?: readonly FailedChecker[];
			/** Why the newest work was not compared; the findings are then those of earlier work. */
			readonly failed?: string;
	  }
	| {readonly kind: 'conflict.gone'; readonly conflict: string}
	| {
			readonly kind: 'resolution.opened';
			readonly conflict: string;
			readonly folder: string;
			/** Folder inside it with the files to take; `files` in events of earlier versions. */
			readonly files?: string;
	  }
	| {
			readonly kind: 'merge.blocked';
			readonly conflicts: readonly string[];
			/** Git settings that a person must see before their filters run. */
			readonly gitSettings?: GitSettingsSeen;
	  }
	| {
			readonly kind: 'merge.built';
			readonly commit: string;
			readonly tree: string;
			/** The target's tip, which is the commit's parent. */
			readonly tip: string;
			readonly agents: readonly string[];
			readonly files: number;
			/** Changes to files that run by themselves or link elsewhere. */
			readonly surface?: readonly SurfaceChange[];
			/** Further notes for the approval, one sentence each. */
			readonly notes?: readonly string[];
			/** Commands that check lock files which several sides changed, to run before the plan's. */
			readonly installs?: readonly string[];
			/** How it was checked for breakages. */
			readonly looked: Looked;
			readonly accepted?: readonly AcceptedBreakage[];
			readonly leftOut?: readonly LeftOut[];
			/** Git settings of the build, which must be the same when it is published. */
			readonly gitSettings: GitSettingsSeen;
			/** Other commits on the target since the session began. */
			readonly moved?: TargetMove;
			/** Its commit message; absent if there is no commit, or several. */
			readonly message?: string;
			/** Commits from the tip to the result, if it is divided by agent. */
			readonly commits?: readonly {readonly commit: string; readonly message: string}[];
			/** Reason why its commit is not signed although the person's settings ask for it. */
			readonly unsigned?: string;
	  }
	| {
			readonly kind: 'verify.ended';
			readonly commit: string;
			readonly tree: string;
			readonly ok: boolean;
			readonly commands: readonly CommandRun[];
			readonly log: LogFile | null;
			/** Locations of the failures, as far as the output names them. */
			readonly places?: readonly FailureLocation[];
	  }
	/** Check of a part of the work after a failed check, to find the responsible agents. */
	| {
			readonly kind: 'part.checked';
			/** Number of the event of the failed check. */
			readonly since: number;
			/** Agents whose work was merged onto the target: empty for the target alone, all for the same result again. */
			readonly agents: readonly string[];
			/** Null if it could not be combined. */
			readonly tree: string | null;
			/** `unclear`: it could not be checked. */
			readonly outcome: 'green' | 'red' | 'unclear';
			readonly why?: string;
			readonly places?: readonly FailureLocation[];
			/** If several agents fail together, the lines that each of them changed. */
			readonly changed?: readonly ChangedBy[];
			/** Null if the same tree was checked before. */
			readonly log: LogFile | null;
	  }
	/** Result of the checks on the previewed outcome of a conflict's choice, which a person requested. */
	| {
			readonly kind: 'outcome.checked';
			readonly conflict: string;
			/** The choice, as it is typed. */
			readonly choice: string;
			/** Number of the event that asked for it. */
			readonly since: number;
			/** Tree of all work with this choice, and the filtered tree that was checked; null if it could not be combined. */
			readonly put: string | null;
			readonly tree: string | null;
			/** `unclear`: it could not be checked. */
			readonly outcome: 'green' | 'red' | 'unclear';
			readonly why?: string;
			readonly commands: readonly CommandRun[];
			readonly log: LogFile | null;
			readonly places?: readonly FailureLocation[];
			/** Conflicts that remain, one sentence each. */
			readonly left: readonly string[];
	  }
	| {
			readonly kind: 'merge.intended';
			/** Commit to which the target will move. */
			readonly commit: string;
			readonly from: string;
			/** The merge that a person undoes, or redoes, with it. */
			readonly undoes?: string;
			readonly asker?: Asker;
	  }
	| ({
			readonly kind: 'merge.published';
			/** The target's commit now; the same as before if there was nothing to merge. */
			readonly commit: string;
			readonly from: string;
			readonly agents: readonly string[];
	  } & (PublishedResult | BroughtBack))
	| {
			readonly kind: 'merge.undone';
			/** The undone merge. */
			readonly commit: string;
			readonly from: string;
			/** The target's commit now: the one before the merge, or one that reverts it. */
			readonly to: string;
	  }
	/** A person pushes the branch of a merge with their own git. */
	| {
			readonly kind: 'push.changed';
			/** The pushed merge. */
			readonly commit: string;
			/** `begun` is written before git starts. */
			readonly to: 'begun' | 'done' | 'failed';
			readonly remote: string;
			/** Name of the remote branch. */
			readonly branch: string;
			/** Commands that the person confirmed. */
			readonly commands: readonly string[];
			/** Address of the commit's page, if the remote is on a host that is known. */
			readonly page?: string;
			readonly asker?: Asker;
	  }
	| {
			readonly kind: 'merge.refused';
			readonly commit: string;
			readonly cause: RefusedCause;
			readonly message: string;
			readonly hint: string;
	  };
