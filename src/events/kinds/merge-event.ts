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

/** One path of a tree: its mode and blob; `undefined` stands for a path that is not there. */
export type TreeEntry = {readonly mode: string; readonly oid: string};

/** A file beside the journal, as it was when the event was written. */
export type LogFile = {readonly path: string; readonly bytes: number; readonly sha256: string};

/** A command of a check, and what came of it; `code` is null where it was ended by a signal or could not start. */
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
	/** Another program may have used it as well. */
	readonly maybe?: true;
};

/** Where a failing check pointed to, in its own words. */
export type FailureLocation = {
	/** A file of the tree that was checked. */
	readonly path: string;
	/** Counted from 1. */
	readonly line: number;
	/** The line of the output that names it, cut where it is long. */
	readonly text: string;
};

/** A collision in the merge of all accepted work: git can't merge it, or git's merge breaks. */
export type Collision = FileCollision | Breakage;

/** The colliding sides: agents' ids, or `target`. */
type Sides = {readonly a: readonly string[]; readonly b: readonly string[]};

/** Changes to one path that git can't bring together. */
export type FileCollision = Sides & {
	readonly path: string;
	readonly type: 'FILE_CONFLICT';
	readonly summary: string;
	readonly stages: {
		readonly base: TreeEntry | null;
		readonly a: TreeEntry | null;
		readonly b: TreeEntry | null;
	};
	/** Each side's change there, with its lines if they can be shown. */
	readonly evidence: readonly Evidence[];
	/** Further breakages of the two; absent if none was found. */
	readonly breaks?: readonly BreaksBesides[];
};

/** A breakage besides a conflict that git can't merge. */
export type BreaksBesides = Omit<Breakage, 'files'> & {
	/** The choices after which it does, as they are typed; absent where it does after any that keeps both works. */
	readonly after?: readonly string[];
};

/** How far one agent's snapshots apply, in order, to others' work where the two collide. */
export type Replayed = {
	/** Numbers of the snapshots that change something there and apply, and of those that don't. */
	readonly applied: readonly number[];
	readonly left: readonly number[];
	/** Files after those that apply. */
	readonly files: readonly {readonly path: string; readonly entry: TreeEntry | null}[];
	/** The rest of the conflict, without the applied part; absent if all applied. */
	readonly rest?: FileCollision['stages'];
};

/** A breakage of works that git merges. */
export type Breakage = Sides &
	FoundTogether & {
		/** The files in which it shows, as they are once all the work is merged; one that is gone is left out. */
		readonly files: readonly {readonly path: string; readonly entry: TreeEntry}[];
	};

/** A finding in a merge that git makes; what git calls it has no name then. */
type FoundTogether = {
	readonly [Type in ConflictType]: Omit<FindingOf<Type>, 'kind'>;
}[ConflictType];

/** A breakage that a person lets be. */
export type AcceptedBreakage = Sides &
	Pick<Finding, 'type' | 'rule' | 'path' | 'summary' | 'confirmed'>;

/** How a type checker fared. */
export type CheckerRun = {
	readonly name: string;
	readonly version: string;
	/** How long it worked, in milliseconds. */
	readonly ms: number;
	/** Why it could not say anything; one sentence. */
	readonly failed?: string;
	/** It would have exceeded its limits, which a person can raise. */
	readonly isOverBudget?: true;
};

/** How a result was looked at for what breaks together: nothing found is not the same as not looked. */
export type Looked =
	| {
			readonly outcome: 'compared';
			/** How many merges of two changed sides were looked at; none where one agent's work comes to a target that stood still. */
			readonly merges: number;
			/** Type checkers that had a say, or why they had none. */
			readonly oracles: readonly CheckerRun[];
			/** How many changed files only git compared. */
			readonly unread: number;
			/** Those files, and why; absent if there are none. */
			readonly unreadFiles?: readonly UnreadFiles[];
			/** Type errors of the result itself: the first ones in words, and the number of others; absent if there are none. */
			readonly errors?: {readonly shown: readonly string[]; readonly more: number};
	  }
	| {readonly outcome: 'failed'; readonly why: string};

/** A line of a file that an agent changed. */
export type ChangedBy = Omit<Evidence, 'side'> & {readonly agent: string};

/** Changes of agents, or the target, at a path that the result leaves out, since a person took another side there. */
export type LeftOut = {
	readonly path: string;
	readonly of: readonly string[];
	readonly kept: readonly string[];
	/** Whether some of it had been applied before. */
	readonly inPart?: true;
};

/** A result that a person approved. */
export type PublishedResult = {
	/** The tree that the target holds now, and what the check said of exactly that one. */
	readonly tree: string;
	readonly checked: 'passed' | 'failed' | 'not';
	readonly leftOut?: readonly LeftOut[];
	readonly redoes?: never;
};

/** A merge that was taken back is there again. */
type BroughtBack = {readonly redoes: string};

/** From accepted work to the moved target. */
export type MergeEvent =
	| (Collision & {
			readonly kind: 'conflict.found';
			/** The item that this is about: one of which a person took files that left it unsettled, or one that is open and whose `breaks` are others by now. */
			readonly reopens?: string;
	  })
	/** Told while agents are at work, and only when it changed: what would block a merge of the two now, and notes, with which both may go on. */
	| {
			readonly kind: 'work.compared';
			/** An agent's id. */
			readonly a: string;
			/** An agent's id, or `target`. */
			readonly b: string;
			/** Nothing is found any more where there is none. */
			readonly findings: readonly Finding[];
			/** How many more block. */
			readonly more: number;
			/** Files that only git compared, and why; absent if all were read. */
			readonly unread?: readonly UnreadFiles[];
	  }
	| {readonly kind: 'conflict.gone'; readonly conflict: string}
	| {
			readonly kind: 'resolution.opened';
			readonly conflict: string;
			readonly folder: string;
			/** Where in it the files lie that are taken; `files` where earlier versions opened it. */
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
			/** The target's tip that the commit stands on. */
			readonly tip: string;
			readonly agents: readonly string[];
			readonly files: number;
			/** Changes in it that run by themselves or link elsewhere. */
			readonly surface?: readonly SurfaceChange[];
			/** Further notes for the approval, a sentence each. */
			readonly notes?: readonly string[];
			/** Commands that check lock files which several sides changed, to be run before the plan's. */
			readonly installs?: readonly string[];
			/** How it was looked at for what breaks together. */
			readonly looked: Looked;
			/** Breakages in it that a person has accepted. */
			readonly accepted?: readonly AcceptedBreakage[];
			readonly leftOut?: readonly LeftOut[];
			/** The git settings that it was built with, and must be published with. */
			readonly gitSettings: GitSettingsSeen;
			/** Other commits on the target since the session began. */
			readonly moved?: TargetMove;
			/** Its commit message; absent for no commit, or for several. */
			readonly message?: string;
			/** The commits that lead from the tip to it, where it is divided by agent. */
			readonly commits?: readonly {readonly commit: string; readonly message: string}[];
			/** Why its commit is not signed, although the person's settings say so. */
			readonly unsigned?: string;
	  }
	| {
			readonly kind: 'verify.ended';
			readonly commit: string;
			readonly tree: string;
			readonly ok: boolean;
			readonly commands: readonly CommandRun[];
			readonly log: LogFile | null;
			/** Where it failed, as far as that can be read. */
			readonly places?: readonly FailureLocation[];
	  }
	/** After a failed check: what the check says of a part of the work, to tell whose work it is that fails. */
	| {
			readonly kind: 'part.checked';
			/** Number of the event that told of the failed check. */
			readonly since: number;
			/** Agents whose work was merged onto the target: none for the target alone, all for the same result again. */
			readonly agents: readonly string[];
			/** Null where nothing could be put together. */
			readonly tree: string | null;
			/** `unclear`: it could not be checked. */
			readonly outcome: 'green' | 'red' | 'unclear';
			readonly why?: string;
			readonly places?: readonly FailureLocation[];
			/** If several agents fail together, the lines that each of them changed. */
			readonly changed?: readonly ChangedBy[];
			/** Null where the same tree was checked before. */
			readonly log: LogFile | null;
	  }
	/** Result of the checks on the outcome of a conflict's choice, which a person asked for in advance. */
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
			/** Collisions left to decide, a sentence each. */
			readonly left: readonly string[];
	  }
	| {
			readonly kind: 'merge.intended';
			/** Where the target is to go. */
			readonly commit: string;
			readonly from: string;
			/** The merge that a person takes back, or brings back, by it. */
			readonly undoes?: string;
			/** The process that asked. */
			readonly asker?: Asker;
	  }
	| ({
			readonly kind: 'merge.published';
			/** Where the target stands now; where it stood already if there was nothing to bring. */
			readonly commit: string;
			readonly from: string;
			readonly agents: readonly string[];
	  } & (PublishedResult | BroughtBack))
	| {
			readonly kind: 'merge.undone';
			/** The merge that was taken back. */
			readonly commit: string;
			readonly from: string;
			/** Where the target stands now: before the merge again, or at a commit that takes it back. */
			readonly to: string;
	  }
	/** A person pushes the branch that a merge went to, by their own git. */
	| {
			readonly kind: 'push.changed';
			/** The merge that goes along. */
			readonly commit: string;
			/** It is written before git starts. */
			readonly to: 'begun' | 'done' | 'failed';
			readonly remote: string;
			/** Name of the remote branch. */
			readonly branch: string;
			/** Each command that the person said yes to. */
			readonly commands: readonly string[];
			/** Who asked for it. */
			readonly asker?: Asker;
	  }
	| {
			readonly kind: 'merge.refused';
			readonly commit: string;
			readonly cause: RefusedCause;
			readonly message: string;
			readonly hint: string;
	  };
