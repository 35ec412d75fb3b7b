import type {Item} from '../../state/item.ts';

/** A story that the demo plays: a repository, agents that are shell scripts, and a person's decisions. */
export type Scene = {
	/** One sentence for the list of scenes. */
	readonly summary: string;
	/** What is said before anything happens. */
	readonly opening: string;
	/** What is said after the merge. */
	readonly closing: string;
	/** Files of the repository's first commit, by path. */
	readonly files: Readonly<Record<string, string>>;
	/** Scripts of the agents, by file name; they run with `sh` and pause for `$DEMO_PAUSE` seconds. */
	readonly scripts: Readonly<Record<string, string>>;
	/** The plan file; it has to be told where the scripts are. */
	readonly plan: (parts: PlanParts) => string;
	readonly decisions: readonly Decision[];
};

export type PlanParts = {
	/** Returns an agent's command as the plan's YAML holds it. */
	readonly command: (script: string) => string;
	/** Value of `DEMO_PAUSE`. */
	readonly pauseS: number;
};

/**
What the scripted person decides when such an item comes up.

Each decision is taken once, in the order of the list, so a story that goes another way than it was written ends with an error and not with a wrong answer.
*/
export type Decision = {
	readonly kind: Item['kind'];
	/** Whose item it is; absent where an item belongs to nobody in particular. */
	readonly agent?: string;
	readonly choice: string;
	readonly note?: string;
	/** Why a sensible person decides so; it is printed. */
	readonly why: string;
};
