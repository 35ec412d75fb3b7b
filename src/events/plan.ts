import {z} from 'zod';
import type {LoadKind} from './load.ts';
import {supervisionChoices} from './supervision.ts';
import {agentVendors, streamVendors} from './vendors.ts';

export type {Supervision, SupervisionPolicy} from './supervision.ts';
export type {AgentVendor, StreamVendor} from './vendors.ts';

/** A plan as a session runs it; `DESIGN §5, Plan file`. */
export type Plan = Frozen<z.infer<typeof planSchema>>;

/** One agent's part of a plan, with every default filled in. */
export type Subtask = Frozen<z.infer<typeof subtaskSchema>>;

/** A program that works, the name of its profile in the config, and who says how it is started. */
export type Program = Pick<Subtask, 'agent' | 'profile' | 'origin'>;

/** A program that the config names. */
export type NamedProgram = Frozen<z.infer<typeof namedProgram>>;

export type AgentCommand = Subtask['agent'];
export type ProgramOrigin = NonNullable<Subtask['origin']>;
export type Scope = Subtask['scope'];
export type McpServer = NonNullable<Subtask['mcpServers']>[number];
export type CopyEntry = Plan['copy'][number];
export type Allowance = Frozen<z.infer<typeof allowance>>;
export type Budget = z.infer<typeof budget>;

export type ResumeWhen = z.infer<typeof resumeWhen>;
export type Environments = Frozen<z.infer<typeof environments>>;

/** A deeply read-only value. */
export type Frozen<Value> = {readonly [Key in keyof Value]: Frozen<Value[Key]>};

const text = z.string();
const texts = z.array(text);

/** Values of variables. */
export const environment = z.record(text, text);

/** Values of variables by agent, which are in no event. */
export const environments = z.record(text, environment);

/** Text that says something. */
export const words = text.refine(said => said.trim() !== '', {error: 'must not be empty'});

const answer = <const Kind extends keyof typeof supervisionChoices>(kind: Kind) =>
	z.enum(supervisionChoices[kind]).exactOptional();

/** Supervision policy, by kind. */
export const supervisionPolicy = z.strictObject({
	checkpoint: answer('checkpoint'),
	review: answer('review'),
	delegation: answer('delegation'),
	scope: answer('scope'),
	permission: answer('permission'),
} satisfies Record<keyof typeof supervisionChoices, z.ZodType>);

/** A name stands for a policy. */
export const supervision = z.union([z.enum(['supervised', 'semi-autonomous']), supervisionPolicy], {
	error: 'must be `supervised`, `semi-autonomous`, or a map such as {checkpoint: go, scope: stop}',
});

const reachedPath = words.regex(/^(?:~\/|\/).*[^/]/, {
	error: 'must be an absolute path, or start with `~/`',
});
const reachedPaths = z.array(reachedPath).max(100).exactOptional();

/** Names of machines, as they stand in an address. */
export const hostNames = z
	.array(
		words.regex(/^(?:\*\.)?[\w.:-]+$/, {
			error: 'must be a name such as `example.org`, or `*.example.org` for all below',
		}),
	)
	.max(100);

/** Paths and hosts that agents and commands may reach where files are protected. */
export const allowance = z.strictObject({
	read: reachedPaths.describe('files and folders'),
	write: reachedPaths.describe('files and folders that are written as well'),
	sockets: reachedPaths.describe('sockets of programs that you run'),
	hosts: hostNames.exactOptional().describe('machines, where `sandbox.network` closes the others'),
});

/** A budget as written: a number of tokens, or US dollars. */
export const budget = z.union(
	[
		z.int().min(1),
		z
			.templateLiteral(['$', z.string()])
			.refine(text => /^\$(?!0+(?:\.0*)?$)\d{1,9}(?:\.\d{1,2})?$/.test(text)),
	],
	{error: 'must be a number of tokens, or US dollars such as $5'},
);

/** When an agent goes on that waits for others' work, by `after` or because it handed some on: once a person has accepted that, or as soon as it is complete. */
export const resumeWhen = z.enum(['accepted', 'completed']);

/** Options of an agent of a known vendor. */
const options = {
	/** The model it is to use, in the agent's own words. */
	model: text.exactOptional(),
	/** `project`: the agent may load the settings that the project keeps for it, which can run programs unasked. */
	trust: z.literal('project').exactOptional(),
	command: texts,
};

/**
How the supervisor talks to an agent: a program, and the protocol that it speaks on its input and output.

- `text`: it reads its prompt and prints what it has to say. With `reply: 'stdin'` its input stays open and replies are written to it; without, it is started again for each reply.
- `text` with `stream`: what it prints is the JSON stream of that vendor's program, in which its words are found.
- `acp`: it is asked over the Agent Client Protocol, and asks itself before it writes or runs something. With `vendor` it is that vendor's program, whose ways are known.
*/
const agentCommand = z.discriminatedUnion('protocol', [
	z.strictObject({
		...options,
		protocol: z.literal('text'),
		reply: z.literal('stdin').exactOptional(),
		stream: z.enum(streamVendors).exactOptional(),
	}),
	z.strictObject({
		...options,
		protocol: z.literal('acp'),
		vendor: z.enum(agentVendors).exactOptional(),
		/** How our tools are handed to it, where it starts no servers itself. */
		tools: z.literal('http').exactOptional(),
	}),
]);

/** Source of a program's command, and the names of its further variables; their values are in no plan. */
const origin = z.strictObject({
	/** The program itself, the person's config, the config of their repository, or the plan. */
	by: z.enum(['built in', 'your config', 'this repository', 'the plan']),
	variables: texts,
	/** Those whose values the person's own config holds: it may be secret, and is shown to nobody. Where it is absent, that is all of them in a program by that config, and else none. */
	yours: texts.exactOptional(),
});

/** A program that the config names. */
export const namedProgram = z.strictObject({
	agent: agentCommand,
	profile: text.max(1000),
	origin: origin.exactOptional(),
});

/** An MCP server of an agent: a program, or a server on the network. Values of variables are in no plan, since plans are journaled. */
const mcpServer = z.union([
	z.strictObject({
		name: text,
		command: texts,
		/** Names of variables that it gets from the environment of the agent. */
		env: texts,
	}),
	z.strictObject({
		name: text,
		type: z.enum(['http', 'sse']),
		url: text,
		/** For each header the name of the variable in the environment of the agent that holds it. */
		headers: z.record(text, text),
	}),
]);

const some = z.number().min(1).exactOptional();

/** How much of the machine an agent may use; the kinds stand apart, since commands that load no schemas read them. */
export const loadSchema = z.strictObject({
	...{memory: some, processes: some, cpu: some, disk: some, output: some},
} satisfies Readonly<Record<LoadKind, typeof some>>);

/** A subtask with its defaults filled in. What its words mean was judged, with lines and columns, by whoever read it from a file. */
export const subtaskSchema = z.strictObject({
	id: text,
	subtask: text,
	goal: text.exactOptional(),
	/** Globs that say where an agent may write; no `allowed` glob makes it read-only. */
	scope: z.strictObject({allowed: texts, forbidden: texts}),
	agent: agentCommand,
	/** Name of the profile in the config that `agent` came from. */
	profile: text.exactOptional(),
	/** Absent in journals from before it was kept. */
	origin: origin.exactOptional(),
	behavior: text.exactOptional(),
	inputs: texts,
	metrics: texts,
	after: texts,
	/** Id of the first of the rivals that are given this subtask, each alone, so that a person takes the best of their works; it has its own id there. */
	bestOf: text.exactOptional(),
	/** How long it may work, in milliseconds. */
	timeoutMs: z.number(),
	thinking: z.enum(['standard', 'think', 'think-hard']),
	/** How it is supervised, where that is otherwise than the plan says for all. */
	supervision: supervision.exactOptional(),
	/** Where it is otherwise than the plan says for all. */
	resume: resumeWhen.exactOptional(),
	tokens: z.number().exactOptional(),
	/** What its processes may use, where that is otherwise than the config says. */
	limits: loadSchema.exactOptional(),
	/** Holds besides what the plan allows for all. */
	budget: budget.exactOptional(),
	output: text.exactOptional(),
	expect: texts,
	/** The mode that it works in, by its own name for it; the one in which it asks before it acts where it is absent. */
	mode: text.exactOptional(),
	/** Servers of tools that it is handed besides ours. */
	mcpServers: z.array(mcpServer).exactOptional(),
	/** The agent's name for a conversation of the person's, which it goes on from. */
	from: text.exactOptional(),
	/** Whether its worktree begins with what is not committed in the person's checkout. */
	uncommitted: z.literal(true).exactOptional(),
	/** Folders that its worktree checks out, in git's cone mode; all where it is absent. */
	checkout: texts.exactOptional(),
	/** Pictures that it is shown with its task, by their paths in the repository. */
	images: texts.exactOptional(),
});

/** A plan as a session runs it. */
export const planSchema = z.strictObject({
	task: text,
	context: text.exactOptional(),
	success: texts,
	/** Branch that the result is merged into; absent means the current branch. */
	target: text.exactOptional(),
	/** One commit for all agents of a merge, `squash`, where it is absent. */
	merge: z.enum(['squash', 'per-agent']).exactOptional(),
	setup: texts,
	/** Variables of everything that runs in a worktree; they are journaled. */
	env: environment.exactOptional(),
	/** Files and folders that each worktree gets a copy of, and variables that are set in the copy of a file. */
	copy: z.array(z.union([text, z.strictObject({from: text, set: environment})])),
	verify: texts,
	/** `host`: checks use this machine's network; one of their own, where that can be, where it is absent. */
	verifyNetwork: z.enum(['own', 'host']).exactOptional(),
	/** Ports of programs that the person runs, which checks may use. */
	verifyNeeds: z.array(z.int()).exactOptional(),
	/** Commands that tell what is wrong with a tree as `path:line: message`: type checks and builds. Absent where there are none. */
	check: texts.exactOptional(),
	/** Further paths and hosts that agents and commands may reach, where files are protected. */
	allow: allowance.exactOptional(),
	supervision,
	/** By the level of supervision where it is absent. */
	resume: resumeWhen.exactOptional(),
	/** `ask`: a person decides on each file that two agents changed, also where git merges it; a note where it is absent. */
	conflicts: z.strictObject({overlap: z.enum(['note', 'ask'])}).exactOptional(),
	/** Shared budget of all agents, beyond which a person is asked. */
	budget: budget.exactOptional(),
	agents: z.array(subtaskSchema),
});

/** When a person wants to be called away from what they do. */
export type NotifyPreferences = {
	/** What for, by kinds of items and `ended`; for everything where it is absent. */
	readonly kinds?: readonly string[];
};

/** How the supervisor calls, which has no terminal. */
export type NotifySettings = NotifyPreferences & {readonly desktop: boolean};
