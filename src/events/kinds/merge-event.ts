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

/** What collides in the merge of all accepted work, by who can't bring it together: git, or whoever reads what git made of it. */
export type Collision = FileCollision | Breakage;

/** Whose changes collide: agents' ids, or `target`. */
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
	/** What each side did there, with the lines, where that can be shown. */
	readonly evidence: readonly Evidence[];
	/** What else the two break; absent where nothing was found. */
	readonly breaks?: readonly BreaksBesides[];
};

/** What breaks besides what git can't merge. */
export type BreaksBesides = Omit<Breakage, 'files'> & {
	/** The choices after which it does, as they are typed; absent where it does after any that keeps both works. */
	readonly after?: readonly string[];
};

/** How far one agent's snapshots apply, in order, to others' work where the two collide. */
export type Replayed = {
	/** Numbers of the snapshots that change something there and apply, and of those that don't. */
	readonly applied: readonly number[];
	readonly left: readonly number[];
	/** What comes of those that apply. */
	readonly files: readonly {readonly path: string; readonly entry: TreeEntry | null}[];
	/** What is left to decide: the conflict without what applied; absent where all did. */
	readonly rest?: FileCollision['stages'];
};

/** What breaks together although git merges it. */
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
	/** It would have had to read or use more than it may, which a person can let it. */
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
			/** Which, and why; absent where there are none. */
			readonly unreadFiles?: readonly UnreadFiles[];
			/** What checkers find wrong with the whole result alone, the first of it in words, and how much more; absent where nothing is. */
			readonly errors?: {readonly shown: readonly string[]; readonly more: number};
	  }
	| {readonly outcome: 'failed'; readonly why: string};

/** A line of a file that an agent changed. */
export type ChangedBy = Omit<Evidence, 'side'> & {readonly agent: string};

/** What agents, or the target, changed at a path and the result has not, since a person took another side there. */
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
			/** What only git compared, and why; absent where all was read. */
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
			/** What a person must see before programs that it may name take the work in. */
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
			/** What of it runs by itself or leads elsewhere. */
			readonly surface?: readonly SurfaceChange[];
			/** What else is worth a look before it is approved, a sentence each. */
			readonly notes?: readonly string[];
			/** Commands that check lock files which several sides changed, to be run before the plan's. */
			readonly installs?: readonly string[];
			/** How it was looked at for what breaks together. */
			readonly looked: Looked;
			/** What breaks in it, and a person lets be. */
			readonly accepted?: readonly AcceptedBreakage[];
			readonly leftOut?: readonly LeftOut[];
			/** What the person's git went by; it may be published under nothing else. */
			readonly gitSettings: GitSettingsSeen;
			/** What else came to the target since the session began. */
			readonly moved?: TargetMove;
			/** What its commit says; absent where nothing is to be committed, or several commits are. */
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
			/** Whose work was put on the target: nobody's is the target alone, everybody's the same result once more. */
			readonly agents: readonly string[];
			/** Null where nothing could be put together. */
			readonly tree: string | null;
			/** `unclear`: it could not be checked. */
			readonly outcome: 'green' | 'red' | 'unclear';
			readonly why?: string;
			readonly places?: readonly FailureLocation[];
			/** Of several whose work fails together, lines that each of them changed. */
			readonly changed?: readonly ChangedBy[];
			/** Null where the same tree was checked before. */
			readonly log: LogFile | null;
	  }
	/** What the checks say of what a choice about a conflict would come to; a person asked before they choose. */
	| {
			readonly kind: 'outcome.checked';
			readonly conflict: string;
			/** The choice, as it is typed. */
			readonly choice: string;
			/** Number of the event that asked for it. */
			readonly since: number;
			/** What all work comes to with it, and the same as the person's filters take it in, which is what was checked; null where nothing could be put together. */
			readonly put: string | null;
			readonly tree: string | null;
			/** `unclear`: it could not be checked. */
			readonly outcome: 'green' | 'red' | 'unclear';
			readonly why?: string;
			readonly commands: readonly CommandRun[];
			readonly log: LogFile | null;
			readonly places?: readonly FailureLocation[];
			/** What would still have to be decided by all that has a say, a sentence each. */
			readonly left: readonly string[];
	  }
	| {
			readonly kind: 'merge.intended';
			/** Where the target is to go. */
			readonly commit: string;
			readonly from: string;
			/** The merge that a person takes back, or brings back, by it. */
			readonly undoes?: string;
			/** Who asked for that. */
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
			/** What the branch is called there. */
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
