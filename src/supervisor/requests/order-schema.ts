import {z} from 'zod';
import type {AgentOrder} from '../../events/agent-order.ts';

/** What a person has one agent do, as it comes over the socket. */
export const orderSchema: z.ZodType<AgentOrder> = z.discriminatedUnion('verb', [
	z.strictObject({verb: z.literal('stop')}),
]);
