import type {Deadline} from '../deadline.ts';
import type {EffectKey} from '../effect-key.ts';

/** A process that could not be ended; its start time tells it from a later one with the same id. */
export type SurvivingProcess = {
	readonly pid: number;
	readonly startTime: string;
	/** The words it was started with. */
	readonly command: string;
};

/**
How far agents are shut in.

`files`: agents see and write only what they need. `processes`: all that an agent starts ends with it, for certain; its files are not shut off. `none`: not even that is certain.
*/
export type Sandbox = {readonly level: 'none' | 'processes' | 'files'; readonly why: string};

/** Says in two words whether files are protected from agents. */
export const filesWords = ({level}: Sandbox): string =>
	level === 'files' ? 'files protected' : 'files not protected';

/** Says likewise and why. */
export const filesText = (sandbox: Sandbox): string => `${filesWords(sandbox)}: ${sandbox.why}`;

/** How much room there is for work; `full` leaves no more than it takes to end well. */
export type DiskLevel = 'enough' | 'low' | 'full';

/** A removed part of an agent: its worktree, the worktree's git folder, or pinned snapshots. */
export type Missing =
	| {readonly agent: string; readonly what: 'worktree' | 'git'}
	| {readonly agent: string; readonly what: 'snapshots'; readonly numbers: readonly number[]};

/** An agent whose worktree was being made or changed when the supervisor ended that did it. */
export type Unfinished = {readonly agent: string; readonly doing: 'made' | 'changed'};

/** Findings of a supervisor that started after a crash. */
export type RestartFinding = {
	/** Agents whose turn nobody saw the end of, and the last snapshot of each. */
	readonly lost: readonly {readonly agent: string; readonly snapshot: number | null}[];
	readonly interrupted: readonly ('check' | 'publication' | 'undo')[];
	/** Processes of the session that were still running, and were ended. */
	readonly ended: readonly SurvivingProcess[];
	/** Where the torn end of the journal is kept, relative to the session's folder. */
	readonly torn?: string;
	readonly missing?: readonly Missing[];
	readonly unfinished?: readonly Unfinished[];
};

/** A git that takes long, such as `git merge`, and the program of the person's that it waits for, if it waits for one. */
export type SlowGit = {
	readonly command: string;
	readonly program: {readonly pid: number; readonly command: string} | null;
};

/** Why what a move left in the person's checkout can't be taken back yet, and what they can do about it. */
export type NotCleared = {readonly message: string; readonly hint: string};

/** Events of the supervisor and the machine. */
export type MachineEvent =
	| {
			/** How much room there is for work has changed. */
			readonly kind: 'machine.disk';
			readonly level: DiskLevel;
			/** Bytes that are free and that there are, on the disk that has least. */
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
			/** All that are left of it; none when the last one is gone. */
			readonly processes: readonly SurvivingProcess[];
	  }
	| {
			/** A git in the person's repository that takes long. */
			readonly kind: 'machine.waiting';
			/** Null when it is over. */
			readonly git: SlowGit | null;
	  }
	| {
			/** The clock was set, or went on while the machine slept, and nothing else happened that `aheadMs` could be told with. */
			readonly kind: 'machine.clock';
			/** How far it jumped, in milliseconds; below zero when it was set back. */
			readonly byMs: number;
	  }
	| {
			/** Files of the person's checkout were written while agents were at work, by whomever. */
			readonly kind: 'machine.checkout';
			/** The first of them. */
			readonly paths: readonly string[];
			readonly count: number;
			readonly agents: readonly string[];
	  }
	| {
			/** Leftovers of interrupted moves in the person's checkout. */
			readonly kind: 'machine.interrupted';
			/** Why it can't be taken back yet; null when nothing of it is left. */
			readonly left: NotCleared | null;
	  }
	| {
			/** The documents in the person's checkout, or the files of questions and answers. */
			readonly kind: 'machine.documents' | 'machine.questions';
			/** Why some can't be read or written, a sentence for each; none when all can. */
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
			/** Whether trying again can't help. */
			readonly final: boolean;
	  };

/**
The person's git settings: configuration files, attributes, hooks and the like.

Digests only, since a file may hold a secret.
*/
export type GitSettings = {
	/** Of all of it together. */
	readonly digest: string;
	/** Of each file, by its path as a person knows it. */
	readonly parts: Readonly<Record<string, string>>;
	/** Of each key in each file of its configuration; absent where an earlier version began the session. */
	readonly keys?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** Git settings later in the session. */
export type GitSettingsSeen = {
	readonly digest: string;
	/** Settings that were created, removed or changed since the session began, by the person's names for them. */
	readonly changed: readonly string[];
};
