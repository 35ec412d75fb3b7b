import type {Deadline} from '../deadline.ts';
import type {EffectKey} from '../effect-key.ts';

/** A process that could not be ended; its start time distinguishes it from a later one with the same id. */
export type SurvivingProcess = {
	readonly pid: number;
	readonly startTime: string;
	readonly command: string;
};

/**
Level of agents' containment.

`files`: agents see and write only the files that they need. `processes`: all processes of an agent certainly end with it; its files are not restricted. `none`: not even that is certain.
*/
export type Sandbox = {readonly level: 'none' | 'processes' | 'files'; readonly why: string};

/** Returns two words on whether files are protected from agents. */
export const filesWords = ({level}: Sandbox): string =>
	level === 'files' ? 'files protected' : 'files not protected';

/** Returns the same with the reason. */
export const filesText = (sandbox: Sandbox): string => `${filesWords(sandbox)}: ${sandbox.why}`;

/** Free disk space; `full` leaves only enough to end properly. */
export type DiskLevel = 'enough' | 'low' | 'full';

/** A removed part of an agent: its worktree, the worktree's git directory, or pinned snapshots. */
export type Missing =
	| {readonly agent: string; readonly what: 'worktree' | 'git'}
	| {readonly agent: string; readonly what: 'snapshots'; readonly numbers: readonly number[]};

/** An agent whose worktree the supervisor was making or changing when it died. */
export type Unfinished = {readonly agent: string; readonly doing: 'made' | 'changed'};

/** Findings of a supervisor that started after a crash. */
export type RestartFinding = {
	/** Agents whose turn ended without a record, with their last snapshots. */
	readonly lost: readonly {readonly agent: string; readonly snapshot: number | null}[];
	readonly interrupted: readonly ('check' | 'publication' | 'undo')[];
	/** Processes of the session that were still running and were ended. */
	readonly ended: readonly SurvivingProcess[];
	/** File with the torn end of the journal, relative to the session's folder. */
	readonly torn?: string;
	readonly missing?: readonly Missing[];
	readonly unfinished?: readonly Unfinished[];
};

/** A slow git command, such as `git merge`, and the person's program that it waits for, if any. */
export type SlowGit = {
	readonly command: string;
	readonly program: {readonly pid: number; readonly command: string} | null;
};

/** Reason why the remains of a move in the person's checkout can't be reverted yet, and a hint. */
export type NotCleared = {readonly message: string; readonly hint: string};

export type MachineEvent =
	| {
			/** The level of free disk space has changed. */
			readonly kind: 'machine.disk';
			readonly level: DiskLevel;
			/** Free and total bytes on the disk with the least space. */
			readonly free: number;
			readonly total: number;
			/** A folder on that disk. */
			readonly folder: string;
	  }
	| {
			/** Processes that could not be ended. */
			readonly kind: 'machine.survivors';
			/** Their agent; null for the plan's checks. */
			readonly agent: string | null;
			/** All remaining ones; empty when the last one is gone. */
			readonly processes: readonly SurvivingProcess[];
	  }
	| {
			/** A git in the person's repository is slow. */
			readonly kind: 'machine.waiting';
			/** Null when it has ended. */
			readonly git: SlowGit | null;
	  }
	| {
			/** The wall clock was set, or went on while the machine slept, and no other event could carry `aheadMs`. */
			readonly kind: 'machine.clock';
			/** Size of the jump in milliseconds; negative if the clock was set back. */
			readonly byMs: number;
	  }
	| {
			/** Files of the person's checkout changed while agents worked; the writer is unknown. */
			readonly kind: 'machine.checkout';
			/** First paths. */
			readonly paths: readonly string[];
			readonly count: number;
			readonly agents: readonly string[];
	  }
	| {
			/** Remains of interrupted moves in the person's checkout. */
			readonly kind: 'machine.interrupted';
			/** Reason why they can't be reverted yet; null if nothing is left. */
			readonly left: NotCleared | null;
	  }
	| {
			/** State of the documents in the person's checkout, or of the question and answer files. */
			readonly kind: 'machine.documents' | 'machine.questions';
			/** Sentences about files that can't be read or written; empty if there are none. */
			readonly troubles: readonly string[];
			/** Errors of question files that agents named, by item. */
			readonly items?: Readonly<Record<string, string>>;
	  }
	| {readonly kind: 'deadline.passed'; readonly deadline: Deadline}
	| {
			readonly kind: 'effect.failed';
			readonly effect: EffectKey;
			readonly message: string;
			readonly hint?: string;
			/** Last lines of the output of the command that failed. */
			readonly printed?: readonly string[];
			/** True if a retry can't help. */
			readonly final: boolean;
	  };

/**
The person's git settings: configuration files, attributes, hooks and so on.

Digests only, since a file may contain a secret.
*/
export type GitSettings = {
	/** Digest of all files together. */
	readonly digest: string;
	/** Digest of each file, by its path as shown to a person. */
	readonly parts: Readonly<Record<string, string>>;
	/** Digest of each key in each configuration file; absent in sessions of earlier versions. */
	readonly keys?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** Git settings later in the session. */
export type GitSettingsSeen = {
	readonly digest: string;
	/** Settings that were added, removed or changed since the session began, by their names for a person. */
	readonly changed: readonly string[];
};
