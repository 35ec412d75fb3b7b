import {z} from 'zod';

/** What the server asks of the supervisor: one call of a tool. */
export const callRequest = z.object({
	token: z.string(),
	tool: z.string().max(100),
	fields: z.record(z.string(), z.unknown()),
});

/** What came of a call, in words for the agent. */
export const callResult = z.object({text: z.string(), isError: z.boolean()});
export type CallResult = z.infer<typeof callResult>;

/** Told once, ahead of the result, when a call is held open for a person. */
export const heldNotice = z.object({items: z.array(z.string()), forMs: z.number()});
export type HeldNotice = z.infer<typeof heldNotice>;
