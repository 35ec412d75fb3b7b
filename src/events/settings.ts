import {z} from 'zod';
import {type Frozen, loadSchema} from './plan.ts';

/** Settings of a session for its whole life, from the config at its start. */
export type Settings = Frozen<z.infer<typeof settingsSchema>>;

export type TypeLimits = NonNullable<Settings['types']>;
export type SandboxSettings = NonNullable<Settings['sandbox']>;
export type NotifySettings = NonNullable<Settings['notify']>;

/** When a person wants to be notified. */
export type NotifyPreferences = Omit<NotifySettings, 'desktop'>;

export const settingsSchema = z.strictObject({
	parallel: z.number(),
	quickMs: z.number(),
	docs: z.boolean(),
	/** Minimum time between two starts of agents, in milliseconds; absent for random delays only. */
	staggerMs: z.number().exactOptional(),
	/** Maximum number of parts of a failed result that are checked at the same time. */
	checks: z.number(),
	/** Number of changed files of one agent above which a note appears. */
	files: z.number(),
	/** Maximum depth of delegations; absent in sessions of older versions. */
	depth: z.number().exactOptional(),
	/** When the plan's checks run on one agent's work without a request: after it reports its tests, or at its checkpoints and its end; absent for never. */
	testsAt: z.enum(['claim', 'checkpoint']).exactOptional(),
	/** Limits of a type checker for one comparison: source files, MiB of them, MiB of memory, seconds; absent for the defaults. */
	types: z
		.strictObject({
			files: z.number().exactOptional(),
			read: z.number().exactOptional(),
			memory: z.number().exactOptional(),
			seconds: z.number().exactOptional(),
		})
		.exactOptional(),
	/** Time after which a changing worktree gets a checkpoint, in milliseconds. */
	checkpointMs: z.number(),
	/** Folder of the question and answer files; absent if they are off. */
	questionsHome: z.string().exactOptional(),
	/** Resource limits of one agent's processes, unless the plan sets others; absent for none. */
	load: loadSchema.exactOptional(),
	/** How the supervisor, which has no terminal, notifies a person while no screen is open; absent for not at all. */
	notify: z
		.strictObject({
			desktop: z.boolean(),
			/** Kinds of items, and `ended`; absent for all. */
			kinds: z.array(z.string()).exactOptional(),
		})
		.exactOptional(),
	/** Waits before each retry of a turn whose model had trouble, in milliseconds; after the last one there is no retry. */
	modelRetriesMs: z.array(z.number()).max(10),
	/** Names of the agents in the config whose programs are installed, which can be used besides those of the plan. */
	profiles: z.array(z.string()).exactOptional(),
	/** Trailers of the commit messages; absent for one that names this program. */
	trailers: z.array(z.string()).exactOptional(),
	/** Sandbox of agents and commands; absent for the best that this machine supports. */
	sandbox: z
		.strictObject({
			/** `required` starts nothing without a sandbox; `off` uses none. */
			mode: z.enum(['required', 'off']).exactOptional(),
			/** Network access in the sandbox; absent for this machine's network. */
			network: z
				.union([z.literal('off'), z.strictObject({hosts: z.array(z.string())})])
				.exactOptional(),
		})
		.exactOptional(),
});
