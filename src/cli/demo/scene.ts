import type {WrittenProfile} from '../../rules/plan/fields.ts';
import type {Item} from '../../state/item.ts';
import type {State} from '../../state/state.ts';

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

/** An agent of a demo: a shell script that talks in text, or a scene for our scripted agent, in YAML. */
export type Player = {readonly script: string} | {readonly scene: string};

/** The agents of a demo, by the names that its plan calls them by. */
export type Cast = Readonly<Record<string, Player>>;

/** Where a player's part is written down, and how fast it is played. */
export type PlayerSettings = {
	/** File of its script or scene. */
	readonly file: string;
	/** Folder for what it keeps of its conversations. */
	readonly temporary: string;
	/** Factor by which its pauses are stretched; 0 for none at all. */
	readonly pace: number;
};

/** Returns a player as the profile of an agent, as a config would hold it. */
export const profileOf = (
	player: Player,
	{file, temporary, pace}: PlayerSettings,
): WrittenProfile => {
	if ('script' in player) {
		return {protocol: 'text', command: ['sh', file], env: {DEMO_PAUSE: `${pace}`}};
	}

	const program = process.argv[1] ?? 'delegate-tui';
	return {
		protocol: 'acp',
		command: [process.execPath, program, 'scripted-agent', file, '--pace', `${pace}`],
		env: {TMPDIR: temporary},
	};
};
