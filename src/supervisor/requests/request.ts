import {z} from 'zod';
import {type Intent, subject} from '../../control/caller.ts';
import type {AgentOrder} from '../../events/agent-order.ts';
import type {SandboxSettings, Settings} from '../../events/event.ts';
import {
	type AgentCommand,
	agentVendors,
	type Environments,
	type NamedProgram,
	type NotifySettings,
	type Plan,
	programAuthors,
	type Subtask,
} from '../../events/plan.ts';
import {Failure} from '../../lib/failure.ts';
import {sentStep} from '../../rules/by-hand/steps.ts';
import {allowance, supervision} from '../../rules/plan/fields.ts';
import type {Picked} from '../../state/items/kind.ts';

type Fields<T> = Readonly<Record<keyof T, z.ZodType>>;

const text = z.string();
const texts = z.array(text);
const acpOptions = {
	model: text.exactOptional(),
	trust: z.literal('project').exactOptional(),
	command: texts,
};

/** How the supervisor talks to an agent. */
export const agentCommand: z.ZodType<AgentCommand> = z.discriminatedUnion('protocol', [
	z.strictObject({
		...acpOptions,
		protocol: z.literal('text'),
		reply: z.literal('stdin').exactOptional(),
		stream: z.enum(agentVendors).exactOptional(),
	}),
	z.strictObject({
		...acpOptions,
		protocol: z.literal('acp'),
		vendor: z.enum(agentVendors).exactOptional(),
	}),
]);

const origin = z
	.strictObject({by: z.enum(programAuthors), variables: texts, yours: texts.exactOptional()})
	.exactOptional();

const namedProgram: z.ZodType<NamedProgram> = z.strictObject({
	agent: agentCommand,
	profile: text.max(1000),
	origin,
} satisfies Fields<NamedProgram>);

/** A subtask with its defaults filled in. What its words mean was judged, with lines and columns, by whoever read it from a file. */
const subtaskSchema: z.ZodType<Subtask> = z.strictObject({
	id: text,
	subtask: text,
	goal: text.exactOptional(),
	scope: z.strictObject({allowed: texts, forbidden: texts}),
	agent: agentCommand,
	profile: text.exactOptional(),
	origin,
	behavior: text.exactOptional(),
	inputs: texts,
	metrics: texts,
	after: texts,
	bestOf: text.exactOptional(),
	timeoutMs: z.number(),
	thinking: z.enum(['standard', 'think', 'think-hard']),
	supervision: supervision.exactOptional(),
	resume: z.enum(['accepted', 'completed']).exactOptional(),
	tokens: z.number().exactOptional(),
	output: text.exactOptional(),
	expect: texts,
	mode: text.exactOptional(),
	mcpServers: z
		.array(
			z.union([
				z.strictObject({name: text, command: texts, env: texts}),
				z.strictObject({
					name: text,
					type: z.enum(['http', 'sse']),
					url: text,
					headers: z.record(text, text),
				}),
			]),
		)
		.exactOptional(),
	images: texts.exactOptional(),
} satisfies Fields<Subtask>);

/** A plan as a session runs it. */
const planSchema: z.ZodType<Plan> = z.strictObject({
	task: text,
	context: text.exactOptional(),
	success: texts,
	target: text.exactOptional(),
	setup: texts,
	env: z.record(text, text).exactOptional(),
	copy: z.array(z.union([text, z.strictObject({from: text, set: z.record(text, text)})])),
	verify: texts,
	verifyNetwork: z.enum(['own', 'host']).exactOptional(),
	verifyNeeds: z.array(z.int()).exactOptional(),
	check: texts.exactOptional(),
	allow: allowance.exactOptional(),
	supervision,
	resume: z.enum(['accepted', 'completed']).exactOptional(),
	conflicts: z.strictObject({overlap: z.enum(['note', 'ask'])}).exactOptional(),
	agents: z.array(subtaskSchema),
} satisfies Fields<Plan>);

const words = z
	.string()
	.regex(/\S/)
	.max(64 * 1024);

/** Names one of several people, or shells, in an agent's worktree. */
const visit = z.string().min(1).max(100);

/** What a person has one agent do, as it comes over the socket. */
export const orderSchema: z.ZodType<AgentOrder> = z.discriminatedUnion('verb', [
	z.strictObject({
		verb: z.literal('message'),
		text: words,
		now: z.literal(true).exactOptional(),
		about: z.string().max(10_000).exactOptional(),
	}),
	z.strictObject({verb: z.literal('pause'), visit: visit.exactOptional()}),
	z.strictObject({
		verb: z.literal('resume'),
		text: words.exactOptional(),
		visit: visit.exactOptional(),
	}),
	z.strictObject({
		verb: z.literal('restart'),
		from: z.number().int().nullable(),
		as: namedProgram.exactOptional(),
		text: words.exactOptional(),
		item: z.string().max(100).exactOptional(),
	}),
	z.strictObject({
		verb: z.literal('grant'),
		// How many can be granted is said in words, by the rules.
		paths: z.array(z.string().min(1).max(4096)).min(1),
	}),
	z.strictObject({verb: z.literal('check')}),
	z.strictObject({verb: z.literal('stop')}),
]);

const environment = z.record(z.string(), z.string());
const environments: z.ZodType<Environments> = z.record(z.string(), environment);

const notify: z.ZodType<NotifySettings> = z.strictObject({
	desktop: z.boolean(),
	kinds: z.array(z.string()).exactOptional(),
	quiet: z.strictObject({from: z.number(), to: z.number()}).exactOptional(),
});

const sandbox: z.ZodType<SandboxSettings> = z.strictObject({
	mode: z.enum(['required', 'off']).exactOptional(),
	network: z
		.union([z.literal('off'), z.strictObject({hosts: z.array(z.string())})])
		.exactOptional(),
});

const settings: z.ZodType<Settings> = z.strictObject({
	parallel: z.number(),
	quickMs: z.number(),
	docs: z.boolean(),
	staggerMs: z.number().exactOptional(),
	files: z.number(),
	depth: z.number().exactOptional(),
	checkpointMs: z.number(),
	questionsHome: z.string().exactOptional(),
	notify: notify.exactOptional(),
	modelRetriesMs: z.array(z.number()).max(10),
	checks: z.number(),
	testsAt: z.literal('checkpoint').exactOptional(),
	profiles: z.array(z.string()).exactOptional(),
	merge: z.literal('per-agent').exactOptional(),
	trailers: z.array(z.string()).exactOptional(),
	sandbox: sandbox.exactOptional(),
} satisfies Readonly<Record<keyof Settings, z.ZodType>>);

const index = z.number().int().min(0);
const longText = z.string().max(64 * 1024);
const by = z.enum(['user', 'demo', 'web']);

/** What is typed about an item. */
const typed = z.object({
	item: z.string().max(100),
	choice: longText,
	note: longText.exactOptional(),
});

const pickedOf = z.strictObject({
	work: z.string().max(100),
	parts: z
		.array(z.strictObject({file: index, hunks: z.union([z.literal('all'), z.array(index)])}))
		.min(1),
});

const pickedSchema: z.ZodType<Picked> = pickedOf.extend({
	also: z.array(pickedOf.extend({agent: z.string().max(100)})).exactOptional(),
});

/** Everything that can be asked of a supervisor over its socket. */
export const requestSchema = z.discriminatedUnion('do', [
	z.object({
		do: z.literal('start'),
		plan: planSchema,
		environments,
		settings,
		warnings: z.array(z.string()),
		approved: z.boolean(),
		demo: z.boolean(),
	}),
	typed.extend({
		do: z.literal('decide'),
		by,
		plan: planSchema.exactOptional(),
		warnings: z.array(z.string()).exactOptional(),
		subtask: subtaskSchema.exactOptional(),
		patch: z.string().exactOptional(),
		picked: pickedSchema.exactOptional(),
		environments: environments.exactOptional(),
		/** What an arbiter is to be started as, and the environment of that, which no event holds. */
		program: namedProgram.exactOptional(),
		environment: environment.exactOptional(),
	}),
	/** Answers several questions together, or none of them. */
	z.object({
		do: z.literal('answer'),
		answers: z.array(typed).min(1).max(100),
		by,
	}),
	z.object({
		do: z.literal('add'),
		/** The whole of the new agent's part; its id is given here. */
		subtask: subtaskSchema.exactOptional(),
		environment: environment.exactOptional(),
		/** Others that do the same, so that the best of their works is taken. */
		rivals: z
			.array(
				z.object({
					subtask: subtaskSchema,
					environment: environment.exactOptional(),
				}),
			)
			.max(2)
			.exactOptional(),
		/** A sentence instead; the rest is taken from another agent. */
		task: longText.min(1).exactOptional(),
		like: z.string().exactOptional(),
		/** Where it may write instead of where that one may. */
		scope: z
			.object({allowed: texts.exactOptional(), forbidden: texts.exactOptional()})
			.exactOptional(),
	}),
	z.object({
		do: z.literal('by-hand'),
		item: z.string().max(100),
		/** How many steps were known to who took these. */
		after: index,
		steps: z.array(sentStep).max(1000),
		/** The hunk that is laid into a file of its own, for an editor, and the one that is taken from its file. */
		lay: index.exactOptional(),
		take: index.exactOptional(),
	}),
	z.object({
		do: z.literal('merge'),
		/** Agents' ids, or all whose work is accepted so far. */
		agents: z.union([z.literal('accepted'), z.array(z.string().max(100)).min(1).max(100)]),
	}),
	z.object({do: z.literal('stop')}),
	z.object({do: z.literal('withdraw'), allowance: z.string().max(100)}),
	z.object({
		do: z.literal('steer'),
		agent: z.string().max(100),
		order: orderSchema,
		environment: environment.exactOptional(),
	}),
	/** Is answered once it is told what a start has found. */
	z.object({do: z.literal('wait')}),
	z.object({
		do: z.literal('undo'),
		/** Asks for what was taken back last, also while other merges stand. */
		redo: z.literal(true).exactOptional(),
		/** What a person agreed to; without it the answer only tells what would be done. */
		agreed: z
			.object({
				turn: z.enum(['undo', 'redo']),
				merge: z.string().max(100),
				from: z.string().max(100).exactOptional(),
				settings: z.string().max(100).exactOptional(),
			})
			.exactOptional(),
	}),
	/** A person is about to push a merge by their own git, or has. */
	z.object({
		do: z.literal('push'),
		to: z.enum(['begun', 'done', 'failed']),
		commit: z.string().max(100),
		remote: z.string().max(1000),
		branch: z.string().max(1000),
		commands: z.array(z.string().max(4000)).max(2),
	}),
	/** Is answered once what an agent's worktree holds now is pinned. */
	z.object({do: z.literal('capture'), agent: z.string().max(100)}),
	z.object({
		do: z.literal('show'),
		what: subject,
		offset: index.default(0),
		limit: z.number().int().min(1).max(1000).default(1000),
	}),
]);

export type SupervisorRequest = z.infer<typeof requestSchema>;
export type StartRequest = Extract<SupervisorRequest, {do: 'start'}>;

/**
Reads what comes over the socket.

@throws `Failure` of kind `usage`: where a text is only too long, which a person can do something about, that is said
*/
export const readRequest = (body: unknown): SupervisorRequest => {
	const parsed = requestSchema.safeParse(body);
	if (parsed.success) {
		return parsed.data;
	}

	for (const issue of parsed.error.issues) {
		if (issue.code === 'too_big' && issue.origin === 'string') {
			throw new Failure('usage', `That text is too long: ${issue.maximum} characters are taken.`, {
				hint: 'say it in fewer words, or name a file that the agent can read',
			});
		}
	}

	throw new Failure('usage', 'The supervisor does not understand this request.', {
		hint: 'the screen and the supervisor may be of different versions',
	});
};

/** Returns the token that is shown with a request. */
export const tokenIn = (body: unknown): string | undefined => shown.safeParse(body).data?.token;

const shown = z.object({token: z.string().max(200).exactOptional()});

/** Returns whether a request decides something, or starts what a person decides on later. */
export const intentOf = (request: SupervisorRequest): Intent => {
	switch (request.do) {
		case 'start':
			return request.approved ? 'deciding' : 'starting';
		case 'add':
		case 'merge':
		case 'stop':
		case 'wait':
		case 'capture':
		case 'show':
			return 'starting';
		case 'decide':
		case 'answer':
		case 'by-hand':
		case 'withdraw':
		case 'steer':
		case 'undo':
		case 'push':
			return 'deciding';
	}
};
