import {z} from 'zod';

/** How the player of scenes introduces itself. */
export const playerName = 'scripted-agent';

const words = z.string().min(1);
const file = z.strictObject({path: words, text: z.string()});

/**
Everything an agent can be made to do, by the word that stands in a scene.

`ask`, `checkpoint`, `widen`, `stop`, `complete`, and `delegate` where it holds up the agent, end its turn; it goes on behind them when it is prompted again.
*/
export const sceneVerbs = {
	/** Says something. */
	say: words,
	/** Thinks something. */
	think: words,
	/** Shows what it is going to do. */
	plan: z
		.array(
			z.strictObject({
				content: words,
				status: z.enum(['pending', 'in_progress', 'completed']).default('pending'),
			}),
		)
		.min(1),
	/** Writes a file, after it asked. */
	write: file,
	/** Replaces a text in a file, after it asked. */
	edit: z.strictObject({path: words, find: words, replace: z.string()}),
	/** Runs a shell command in its worktree, after it asked. */
	run: words,
	/** Does nothing for some seconds. */
	wait: z.number().min(0).max(600),
	/** Asks a person. Later texts may hold the answer as `{{id}}`. */
	ask: z.strictObject({
		id: z
			.string()
			.regex(/^[a-z][\w-]*$/i)
			.default('answer'),
		question: words,
		type: z.enum(['choice', 'yes-no', 'text', 'path', 'number', 'regex']).exactOptional(),
		options: z.array(words).default([]),
		context: words.exactOptional(),
	}),
	/** Reports where it stands. */
	checkpoint: z.strictObject({
		status: z.enum(['COMPLETE', 'BLOCKED', 'IN_PROGRESS']).default('IN_PROGRESS'),
		progress: z.int().min(0).max(100).exactOptional(),
		changes: z
			.array(z.strictObject({file: words, action: words, description: z.string().default('')}))
			.default([]),
		blockers: words.exactOptional(),
		questions: z.array(words).default([]),
		request: z.enum(['CONTINUE', 'MERGE', 'HELP', 'ABORT']).exactOptional(),
	}),
	/** Writes a file that is not in its scope; with `ask: false` behind the supervisor's back. */
	'leave-scope': file.extend({ask: z.boolean().default(true)}),
	/** Asks to be let write outside its scope. */
	widen: z.strictObject({paths: z.array(words).min(1), reason: words.exactOptional()}),
	/** Says that it can't go on. */
	stop: z.strictObject({details: words, needs: words.exactOptional()}),
	/** Proposes work for another agent. */
	delegate: z.strictObject({
		task: words,
		blocks: z.boolean().default(false),
		coordination: words.exactOptional(),
	}),
	/** Says that it is done. */
	complete: z.strictObject({
		status: z.enum(['success', 'partial', 'failed']).default('success'),
		deliverables: z.array(words).default([]),
		metrics: words.exactOptional(),
		recommendations: z.array(words).default([]),
	}),
	/**
	Calls a tool that it was handed, after it asked; goes on with what the tool says.

	An answer in it can stand in later texts as `{{id}}`; it ends its turn when the tool tells it to.
	*/
	tool: z.strictObject({name: words, fields: z.record(z.string(), z.unknown()).default({})}),
	/** Dies, with a last word on stderr. */
	crash: z.strictObject({
		code: z.int().min(1).max(255).default(1),
		complaint: words.default('the scene says so'),
	}),
	/** Says very much. */
	flood: z.strictObject({lines: z.int().min(1).max(1_000_000), line: words.default('noise')}),
} as const;

export type SceneVerb = keyof typeof sceneVerbs;

/** One thing that an agent does. */
export type SceneStep = {
	[V in SceneVerb]: {readonly verb: V; readonly does: z.output<(typeof sceneVerbs)[V]>};
}[SceneVerb];

/** How the agent reacts to a refusal; real ones differ. */
export const onRefusal = z.enum(['go-on', 'end-turn', 'cancel']).default('go-on');

/** Steps for a prompt that holds certain words. */
export type Interlude = {readonly says: string; readonly steps: readonly SceneStep[]};

export type Scene = {
	readonly onRefusal: z.output<typeof onRefusal>;
	readonly steps: readonly SceneStep[];
	/** Played from their start, in place of what comes next, whenever a prompt holds their words; the first that fits. */
	readonly interludes?: readonly Interlude[];
};
