import {z} from 'zod';
import {
	type AgentCommand,
	agentVendors,
	type NamedProgram,
	type Plan,
	programAuthors,
	type Subtask,
} from '../../events/plan.ts';

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

const origin = z.strictObject({by: z.enum(programAuthors), variables: texts}).exactOptional();

/** A program that the config names. */
export const namedProgram: z.ZodType<NamedProgram> = z.strictObject({
	agent: agentCommand,
	profile: text.max(1000),
	origin,
} satisfies Fields<NamedProgram>);

/** A subtask with its defaults filled in. What its words mean was judged, with lines and columns, by whoever read it from a file. */
export const subtaskSchema: z.ZodType<Subtask> = z.strictObject({
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
	supervision: z.enum(['supervised', 'semi-autonomous']).exactOptional(),
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
export const planSchema: z.ZodType<Plan> = z.strictObject({
	task: text,
	context: text.exactOptional(),
	success: texts,
	target: text.exactOptional(),
	setup: texts,
	copy: texts,
	verify: texts,
	check: texts.exactOptional(),
	supervision: z.enum(['supervised', 'semi-autonomous']),
	agents: z.array(subtaskSchema),
} satisfies Fields<Plan>);
