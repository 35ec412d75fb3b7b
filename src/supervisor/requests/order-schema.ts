import {z} from 'zod';
import type {AgentOrder} from '../../events/agent-order.ts';
import {namedProgram} from './plan-schema.ts';

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
