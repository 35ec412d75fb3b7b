import type {ClientContext} from '@agentclientprotocol/sdk';
import {z} from 'zod';

/** An extension of the protocol by which words join a turn that is under way; the adapters of Claude Code and Codex offer it. */
const method = '_session/steering';

const offer = z.object({steering: z.object({supported: z.literal(true)})});
const joined = z.object({outcome: z.literal('injected')});

/** Returns whether an agent that introduces itself so takes words in its turn. */
export const takesWords = (meta: unknown): boolean => offer.safeParse(meta).success;

/** Says something to an agent in its turn; returns whether it came in time. No turn is begun by it. */
export const steer = async (
	agent: ClientContext,
	sessionId: string,
	text: string,
): Promise<boolean> => {
	const answer = await agent
		.request<unknown>(method, {
			sessionId,
			prompt: [{type: 'text', text}],
			_meta: {steering: {idleBehavior: 'promptRequired'}},
		})
		.catch(() => undefined);
	return joined.safeParse(answer).success;
};
