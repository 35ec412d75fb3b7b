import {readFile} from 'node:fs/promises';
import {parse} from 'yaml';
import {z} from 'zod';
import {Failure} from '../../lib/failure.ts';
import {liveCollisions} from '../../rules/collisions.ts';
import type {WrittenProfile} from '../../rules/plan/fields.ts';
import {itemPrefix, type Kind} from '../../state/item.ts';
import type {State} from '../../state/state.ts';

/** Summaries of the scenes, in the order of the list; the first one is the default. The script is `scenes/NAME.yaml`. */
export const summaries: Readonly<Record<string, string>> = {
	merge: 'three agents from plan to merge',
	questions: 'two agents that ask: several questions at once, the same question, and an urgent one',
	collisions: 'two agents that break each other where git sees nothing',
	boundaries: 'agents that go too far, and what holds them',
	recovery: 'a crash, a blocker, a failing check, and the way out of each',
	parallel: 'three agents with separate files, merged and checked as one',
	sequential: 'an agent that waits for work it handed on, and builds on it',
	findings: 'three agents that add what they find to one list',
	delegate: 'work that an agent hands on: one more agent, and one refusal with its reason',
	'stop-work': 'a blocked agent, and the command that it needs, run in its worktree',
	failure:
		'agents that fail: finished work is kept, the rest is tried again or given to another agent',
	review: 'a checkpoint and a report that claim too much, shown beside the facts',
};

/** Names and summaries of all scenes, for the help. */
export const sceneList = Object.entries(summaries)
	.map(([name, summary]) => `${name}: ${summary}`)
	.join('; ');

/** Returns whether a person would decide now; a decision's `when` names one of these. */
const isTime = {
	/** Two unfinished works are known to collide. */
	collide: (state: State) => liveCollisions(state).length > 0,
	/** The result of a choice was checked. */
	checked: ({items}: State) =>
		items.some(item => item.kind === 'conflict' && item.checking?.result !== undefined),
	/** Every agent has asked: only then it is known that two of them ask the same. */
	asked: ({agents}: State) => agents.every(({turn}) => turn.number > 0 && turn.phase === 'ended'),
	/** Every agent's work has a snapshot, which takes a moment. */
	compared: ({agents}: State) => agents.every(({snapshots}) => snapshots.length > 0),
} satisfies Readonly<Record<string, (state: State) => boolean>>;

type Time = keyof typeof isTime;

/**
A decision of the scripted person on an item.

Each decision is taken once, in the order of the list, so a story that takes another course ends with an error and not with a wrong answer.
*/
const decisionSchema = z.strictObject({
	kind: z.custom<Kind>(kind => typeof kind === 'string' && kind in itemPrefix),
	/** Agent of the item; absent for an item without one. */
	agent: z.string().optional(),
	choice: z.string(),
	note: z.string().optional(),
	/** Condition for which a person would wait before they decide; without it they decide at once. */
	when: z.custom<Time>(time => typeof time === 'string' && time in isTime).optional(),
	/** Reason of a sensible person, which is printed. */
	why: z.string(),
});

export type DemoDecision = z.infer<typeof decisionSchema>;

/** An agent of a demo: a shell script with text output, or a scene for our scripted agent, in YAML. */
const playerSchema = z.union([
	z.strictObject({script: z.string()}),
	z.strictObject({scene: z.string()}),
]);

export type Player = z.infer<typeof playerSchema>;

const filesSchema = z.record(z.string(), z.string());

const sceneSchema = z.strictObject({
	/** Text before the start. */
	opening: z.string(),
	/** Text after the merge. */
	closing: z.string(),
	/** Files of the repository's first commit, by path; by default those of `till.yaml`. */
	files: filesSchema.optional(),
	/** Plan file, whose agents have the names of the cast. */
	plan: z.string(),
	cast: z.record(z.string(), playerSchema),
	decisions: z.array(decisionSchema),
});

/** A story of the demo: a repository, agents, and the decisions of a person. */
export type DemoScene = z.infer<typeof sceneSchema> & {
	readonly files: Readonly<Record<string, string>>;
};

/**
Reads the scene of a name.

@throws `Failure` of kind `usage` that lists the scenes.
*/
export const readDemoScene = async (name: string): Promise<DemoScene> => {
	if (!Object.hasOwn(summaries, name)) {
		throw new Failure('usage', `There is no scene "${name}".`, {hint: `scenes: ${sceneList}`});
	}

	const scene = sceneSchema.parse(await readPart(name));
	return {...scene, files: scene.files ?? filesSchema.parse(await readPart('till'))};
};

/** Reads a part, which is beside this source, and beside the bundle. */
const readPart = async (name: string): Promise<unknown> =>
	parse(await readFile(new URL(`./scenes/${name}.yaml`, import.meta.url), 'utf8'));

/** Returns whether the scripted person still waits before a decision. */
export const isTooEarly = ({when}: DemoDecision, state: State): boolean =>
	when !== undefined && !isTime[when](state);

/** Location of a player's part, and its pace. */
export type PlayerSettings = {
	/** File of its script or scene. */
	readonly file: string;
	/** Folder for its conversations. */
	readonly temporary: string;
	/** Factor of its pauses; 0 for none. */
	readonly pace: number;
};

/** Returns a player as the profile of an agent in a config. */
export const playerProfile = (
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
