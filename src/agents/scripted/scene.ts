import {z} from 'zod';

/** Name with which the player of scenes introduces itself. */
export const playerName = 'scripted-agent';

const words = z.string().min(1);
const file = z.strictObject({path: words, text: z.string()});

/**
All actions of a scripted agent, by their verbs in a scene.

`ask`, `checkpoint`, `widen`, `stop`, `complete`, and a blocking `delegate`, end its turn; it continues after them with the next prompt.
*/
export const sceneVerbs = {
	/** Says something. */
	say: words,
	/** Thinks something. */
	think: words,
	/** Shows its plan. */
	plan: z
		.array(
			z.strictObject({
				content: words,
				status: z.enum(['pending', 'in_progress', 'completed']).default('pending'),
			}),
		)
		.min(1),
	/** Writes a file, after asking. */
	write: file,
	/** Replaces a text in a file, after asking. */
	edit: z.strictObject({path: words, find: words, replace: z.string()}),
	/** Runs a shell command in its worktree, after asking. */
	run: words,
	/** Does nothing for some seconds. */
	wait: z.number().min(0).max(600),
	/** Asks a person. Later texts may contain the answer as `{{id}}`. */
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
	/** Reports its status. */
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
	/** Writes a file outside its scope; with `ask: false` unnoticed by the supervisor. */
	'leave-scope': file.extend({ask: z.boolean().default(true)}),
	/** Asks for permission to write outside its scope. */
	widen: z.strictObject({paths: z.array(words).min(1), reason: words.exactOptional()}),
	/** Says that it can't continue. */
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
	Calls a tool of its server, after asking; continues with the tool's text.

	Later texts may contain an answer in it as `{{id}}`; it ends its turn if the tool tells it to.
	*/
	tool: z.strictObject({name: words, fields: z.record(z.string(), z.unknown()).default({})}),
	/** Exits with a last message on stderr. */
	crash: z.strictObject({
		code: z.int().min(1).max(255).default(1),
		complaint: words.default('the scene says so'),
	}),
	/** Says a great many lines. */
	flood: z.strictObject({lines: z.int().min(1).max(1_000_000), line: words.default('noise')}),
} as const;

export type SceneVerb = keyof typeof sceneVerbs;

/** One action of an agent. */
export type SceneStep = {
	[V in SceneVerb]: {readonly verb: V; readonly does: z.output<(typeof sceneVerbs)[V]>};
}[SceneVerb];

/** The agent's reaction to a refusal; real ones differ. */
export const onRefusal = z.enum(['go-on', 'end-turn', 'cancel']).default('go-on');

/** Steps for a prompt with certain words. */
export type Interlude = {readonly says: string; readonly steps: readonly SceneStep[]};

export type Scene = {
	readonly onRefusal: z.output<typeof onRefusal>;
	readonly steps: readonly SceneStep[];
	/** Played from their start, instead of the next steps, whenever a prompt contains their words; the first match counts. */
	readonly interludes?: readonly Interlude[];
};
