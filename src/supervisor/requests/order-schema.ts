import {z} from 'zod';
import type {AgentOrder} from '../../events/agent-order.ts';
import {agentCommand} from './plan-schema.ts';

const words = z
	.string()
	.regex(/\S/)
	.max(64 * 1024);

/** What a person has one agent do, as it comes over the socket. */
export const orderSchema: z.ZodType<AgentOrder> = z.discriminatedUnion('verb', [
	z.strictObject({
		verb: z.literal('message'),
		text: words,
		now: z.literal(true).exactOptional(),
	}),
	z.strictObject({verb: z.literal('pause')}),
	z.strictObject({verb: z.literal('resume'), text: words.exactOptional()}),
	z.strictObject({
		verb: z.literal('restart'),
		from: z.number().int().nullable(),
		as: z.strictObject({profile: z.string().max(1000), agent: agentCommand}).exactOptional(),
	}),
	z.strictObject({verb: z.literal('check')}),
	z.strictObject({verb: z.literal('stop')}),
]);
