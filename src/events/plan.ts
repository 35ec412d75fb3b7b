import {z} from 'zod';
import type {LoadKind} from './load.ts';
import {supervisionChoices} from './supervision.ts';
import {agentVendors, streamVendors} from './vendors.ts';

export type {Supervision, SupervisionPolicy} from './supervision.ts';
export type {AgentVendor, StreamVendor} from './vendors.ts';

/** A plan in the form in which a session runs it; `DESIGN §5, Plan file`. */
export type Plan = Frozen<z.infer<typeof planSchema>>;

/** One agent's part of a plan, with all defaults filled in. */
export type Subtask = Frozen<z.infer<typeof subtaskSchema>>;

/** An agent's program, the name of its profile in the config, and the source of its command. */
export type Program = Pick<Subtask, 'agent' | 'profile' | 'origin'>;

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

export const environment = z.record(text, text);

/** Environment variables by agent, which no event contains. */
export const environments = z.record(text, environment);

/** Text that isn't blank. */
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

export const supervision = z.union([z.enum(['supervised', 'semi-autonomous']), supervisionPolicy], {
	error: 'must be `supervised`, `semi-autonomous`, or a map such as {checkpoint: go, scope: stop}',
});

const reachedPath = words.regex(/^(?:~\/|\/).*[^/]/, {
	error: 'must be an absolute path, or start with `~/`',
});
const reachedPaths = z.array(reachedPath).max(100).exactOptional();

/** Host names, as in a URL. */
export const hostNames = z
	.array(
		words.regex(/^(?:\*\.)?[\w.:-]+$/, {
			error: 'must be a name such as `example.org`, or `*.example.org` for all below',
		}),
	)
	.max(100);

/** Paths and hosts that agents and commands may reach from a sandbox. */
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

/** When an agent continues that waits for others' work, because of `after` or a delegation: once a person has accepted it, or as soon as it is complete. */
export const resumeWhen = z.enum(['accepted', 'completed']);

/** Options of an agent of a known vendor. */
const options = {
	/** Model to use, in the agent's own words. */
	model: text.exactOptional(),
	/** `project`: the agent may load the project's settings for it, which can run programs unasked. */
	trust: z.literal('project').exactOptional(),
	command: texts,
};

/**
How the supervisor talks to an agent: a program, and the protocol on its stdin and stdout.

- `text`: it reads its prompt and prints its words. With `reply: 'stdin'` its input stays open for replies; otherwise it is started again for each reply.
- `text` with `stream`: it prints the JSON stream of that vendor's program, which contains its words.
- `acp`: it speaks the Agent Client Protocol, and asks before it writes or runs something. With `vendor` it is that vendor's program, whose profile applies.
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
		/** `http` if it gets our tools over HTTP because it starts no servers itself. */
		tools: z.literal('http').exactOptional(),
	}),
]);

/** Source of a program's command, and the names of its further variables; no plan contains their values. */
const origin = z.strictObject({
	/** Built-in profile, the person's config, the config of their repository, or the plan. */
	by: z.enum(['built in', 'your config', 'this repository', 'the plan']),
	variables: texts,
	/** Variables whose values are in the person's own config: they may be secret, and are never shown. If absent, all variables of a program from that config are, and otherwise none. */
	yours: texts.exactOptional(),
});

/** A program in the config. */
export const namedProgram = z.strictObject({
	agent: agentCommand,
	profile: text.max(1000),
	origin: origin.exactOptional(),
});

/** An MCP server of an agent: a program, or a server on the network. No plan contains values of variables, since plans are journaled. */
const mcpServer = z.union([
	z.strictObject({
		name: text,
		command: texts,
		/** Names of variables that it gets from the agent's environment. */
		env: texts,
	}),
	z.strictObject({
		name: text,
		type: z.enum(['http', 'sse']),
		url: text,
		/** Variables in the agent's environment with the value of each header. */
		headers: z.record(text, text),
	}),
]);

const some = z.number().min(1).exactOptional();

/** Resource limits of an agent. The kinds are defined elsewhere, since commands without schemas need them. */
export const loadSchema = z.strictObject({
	...{memory: some, processes: some, cpu: some, disk: some, output: some},
} satisfies Readonly<Record<LoadKind, typeof some>>);

/** A subtask with its defaults filled in. The reader of a plan file has already validated its content, with lines and columns. */
export const subtaskSchema = z.strictObject({
	id: text,
	subtask: text,
	goal: text.exactOptional(),
	/** Globs of paths that an agent may write; without an `allowed` glob it is read-only. */
	scope: z.strictObject({allowed: texts, forbidden: texts}),
	agent: agentCommand,
	/** Name of the profile in the config from which `agent` comes. */
	profile: text.exactOptional(),
	/** Absent in older journals. */
	origin: origin.exactOptional(),
	behavior: text.exactOptional(),
	inputs: texts,
	metrics: texts,
	after: texts,
	/** Id of the first of the rivals with this subtask, of which a person takes the best work; that one has its own id here. */
	bestOf: text.exactOptional(),
	/** Maximum working time, in milliseconds. */
	timeoutMs: z.number(),
	thinking: z.enum(['standard', 'think', 'think-hard']),
	/** Supervision policy, if it differs from the plan's. */
	supervision: supervision.exactOptional(),
	/** If it differs from the plan's. */
	resume: resumeWhen.exactOptional(),
	tokens: z.number().exactOptional(),
	/** Resource limits of its processes, if they differ from the config's. */
	limits: loadSchema.exactOptional(),
	/** Applies in addition to the plan's. */
	budget: budget.exactOptional(),
	output: text.exactOptional(),
	expect: texts,
	/** Name of its mode; absent for the one in which it asks before it acts. */
	mode: text.exactOptional(),
	/** Tool servers in addition to ours. */
	mcpServers: z.array(mcpServer).exactOptional(),
	/** The agent's name for a conversation of the person's, which it continues. */
	from: text.exactOptional(),
	/** Set if its worktree starts with the uncommitted changes of the person's checkout. */
	uncommitted: z.literal(true).exactOptional(),
	/** Folders that its worktree checks out, in git's cone mode; absent for all. */
	checkout: texts.exactOptional(),
	/** Pictures that it is shown with its task, by their paths in the repository. */
	images: texts.exactOptional(),
});

/** A plan in the form in which a session runs it. */
export const planSchema = z.strictObject({
	task: text,
	context: text.exactOptional(),
	success: texts,
	/** Branch into which the result is merged; absent for the current branch. */
	target: text.exactOptional(),
	/** Commits of a merge: `squash` for one, which is the default, or one per agent. */
	merge: z.enum(['squash', 'per-agent']).exactOptional(),
	setup: texts,
	/** Variables of all processes in a worktree; they are journaled. */
	env: environment.exactOptional(),
	/** Files and folders to copy into each worktree, and variables to set in the copy of a file. */
	copy: z.array(z.union([text, z.strictObject({from: text, set: environment})])),
	verify: texts,
	/** `host`: checks use this machine's network; default: their own, if the machine supports it. */
	verifyNetwork: z.enum(['own', 'host']).exactOptional(),
	/** Ports of programs that the person runs, which checks may use. */
	verifyNeeds: z.array(z.int()).exactOptional(),
	/** Type checks and builds, which print the problems of a tree as `path:line: message`. Absent if there are none. */
	check: texts.exactOptional(),
	/** Further paths and hosts that agents and commands may reach from a sandbox. */
	allow: allowance.exactOptional(),
	supervision,
	/** Absent for the default of the supervision level. */
	resume: resumeWhen.exactOptional(),
	/** `ask`: a person decides about each file that two agents changed, even if git merges it; default: a note. */
	conflicts: z.strictObject({overlap: z.enum(['note', 'ask'])}).exactOptional(),
	/** Shared budget of all agents; beyond it a person is asked. */
	budget: budget.exactOptional(),
	agents: z.array(subtaskSchema),
});
