import {once} from 'node:events';
import {get, type IncomingMessage} from 'node:http';
import {z} from 'zod';
import type {ServerCount} from '../acp/quirks.ts';

/**
Returns a function that asks opencode's own server what a conversation has used up in all.

Over the protocol it tells the tokens of the last request of a turn alone, and only at its end. A server that can't be reached, as from outside of an agent's own network, tells nothing.
*/
export const opencodeSpent =
	({port, password}: {readonly port: number; readonly password: string}) =>
	async (conversation: string): Promise<ServerCount | undefined> => {
		const path = `/session/${encodeURIComponent(conversation)}`;
		const signal = AbortSignal.timeout(patienceMs);
		try {
			const asked = get({host: '127.0.0.1', port, path, auth: `opencode:${password}`, signal});
			const [response]: [IncomingMessage] = (await once(asked, 'response', {signal})) as never;
			return spentSchema.parse(JSON.parse(await textOf(response)));
		} catch {
			return undefined;
		}
	};

/** How long it may take to answer, in milliseconds, and the longest answer, in characters. */
const [patienceMs, longest] = [10_000, 2 ** 20];

const textOf = async (response: IncomingMessage): Promise<string> => {
	let text = '';
	for await (const piece of response.setEncoding('utf8')) {
		text += piece;
		if (text.length > longest) {
			throw new Error('It is too long.');
		}
	}

	return text;
};

const count = z.number().nonnegative();

const spentSchema = z
	.object({
		cost: count,
		tokens: z.object({
			input: count,
			output: count,
			reasoning: count,
			cache: z.object({read: count, write: count}),
		}),
	})
	.transform(({cost, tokens: {input, output, reasoning, cache}}) => ({
		dollars: cost,
		tokens: input + output + reasoning + cache.read + cache.write,
	}));
