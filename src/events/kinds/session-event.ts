import type {GitSettings} from '../git-settings.ts';
import type {NotifySettings} from '../notify-preferences.ts';
import type {Plan} from '../plan.ts';
import type {RestartFinding, Sandbox} from './machine-event.ts';

/** Settings that a session keeps for its whole life, from the config at its start. */
export type Settings = {
	readonly parallel: number;
	readonly quickMs: number;
	readonly docs: boolean;
	/** How long after the start of one agent the next one starts, in milliseconds at the least; where it is absent, chance alone parts them. */
	readonly staggerMs?: number;
	/** How many parts of a result that failed are checked at a time. */
	readonly checks: number;
	/** How many files one agent may change before it is said. */
	readonly files: number;
	/** When the plan's checks are run on the work of one agent without being asked for; not at all where it is absent. */
	readonly testsAt?: 'checkpoint';
	/** How long an agent may change its worktree without a checkpoint, in milliseconds; then one is taken. */
	readonly checkpointMs: number;
	/** Folder of the question and answer files; without it there are none. */
	readonly questionsHome?: string;
	/** How a person is called while no screen is open; not at all where it is absent. */
	readonly notify?: NotifySettings;
	/** How long each new try of a turn waits whose model had trouble, in milliseconds; the last one is followed by none. */
	readonly modelRetriesMs: readonly number[];
	/** Names of the agents of the config whose programs are here, for whoever is to be asked besides those of the plan. */
	readonly profiles?: readonly string[];
};

/** The life of a session. */
export type SessionEvent =
	| {
			readonly kind: 'session.started';
			readonly session: string;
			readonly repository: {readonly id: string; readonly root: string};
			readonly target: string;
			/** The target's tip, on which every agent starts. */
			readonly base: string;
			readonly plan: Plan;
			readonly settings: Settings;
			/** What the person's git went by before any agent ran. */
			readonly gitSettings: GitSettings;
			/** Warnings about the plan, shown before it is approved. */
			readonly warnings: readonly string[];
			readonly demo: boolean;
	  }
	| {readonly kind: 'session.ended'; readonly status: 'COMPLETE' | 'ABORTED'; readonly why: string}
	| {
			readonly kind: 'supervisor.started';
			readonly pid: number;
			readonly version: string;
			/** What this machine allowed when it started. */
			readonly sandbox: Sandbox;
			/** What was not as it should be, if it came after a crash. */
			readonly found?: RestartFinding;
	  }
	| {readonly kind: 'target.moved'; readonly from: string; readonly to: string};
