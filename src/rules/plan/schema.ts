import {z} from 'zod';
import {agentProfile, agentTimeout, glob, listOf, repositoryPath, words} from './fields.ts';

const agentId = z.string().regex(/^AGT-\d{3,}$/, {
	error: 'must be `AGT-` and at least three digits, such as AGT-001',
});

/** Name of a line signal, as an agent writes it before the colon. */
const signalName = z.string().regex(/^[A-Z][A-Z0-9_]*$/, {
	error: 'must be a signal in upper case, such as SUMMARY',
});

const subtaskSchema = z.strictObject({
	id: agentId.exactOptional(),
	subtask: words,
	goal: words.exactOptional(),
	scope: z
		.strictObject({allowed: listOf(glob), forbidden: listOf(glob)})
		.default({allowed: [], forbidden: []}),
	agent: z
		.union([words, agentProfile], {error: 'must be the name of a profile, or a map with a command'})
		.exactOptional(),
	behavior: repositoryPath.exactOptional(),
	inputs: listOf(repositoryPath),
	metrics: listOf(words),
	after: listOf(agentId),
	timeout: agentTimeout.exactOptional(),
	thinking: z.enum(['standard', 'think', 'think-hard']).default('standard'),
	tokens: z.int().min(1).exactOptional(),
	output: repositoryPath.exactOptional(),
	expect: listOf(signalName),
});

/** A plan file: the source of its validation, its types and its JSON schema. */
export const planSchema = z.strictObject({
	version: z.literal(1),
	task: words,
	context: words.exactOptional(),
	success: listOf(words),
	target: words.exactOptional(),
	setup: listOf(words),
	copy: listOf(repositoryPath),
	verify: listOf(words),
	supervision: z.enum(['supervised', 'semi-autonomous']).default('supervised'),
	agents: z.array(subtaskSchema).min(1).max(50),
});

/** A plan file that has its shape; ids and profiles are still as written. */
export type PlanFile = z.output<typeof planSchema>;

export type SubtaskEntry = PlanFile['agents'][number];
