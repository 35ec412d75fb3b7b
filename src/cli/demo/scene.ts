import type {Item} from '../../state/item.ts';
import type {State} from '../../state/state.ts';
import type {Cast} from './player.ts';

/** A story that the demo plays: a repository, agents, and the decisions of a person. */
export type Scene = {
	/** One sentence for the list of scenes. */
	readonly summary: string;
	/** What is said before anything happens. */
	readonly opening: string;
	/** What is said after the merge. */
	readonly closing: string;
	/** Files of the repository's first commit, by path. */
	readonly files: Readonly<Record<string, string>>;
	/** The plan file; its agents are called by the names of the cast. */
	readonly plan: string;
	readonly cast: Cast;
	readonly decisions: readonly Decision[];
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
	/** What a person would wait for before they decide; without it they decide at once. */
	readonly when?: (state: State) => boolean;
	/** Why a sensible person decides so; it is printed. */
	readonly why: string;
};

/** Returns the decision that lets the agents begin. */
export const approvePlan = (why: string): Decision => ({kind: 'plan', choice: 'approve', why});

/** Returns the decision that merges the result. */
export const approve = (why: string): Decision => ({kind: 'approval', choice: 'approve', why});

/** Returns the decision that takes an agent's finished work as it is. */
export const accept = (agent: string, why: string): Decision => ({
	kind: 'review',
	agent,
	choice: 'merge',
	why,
});
