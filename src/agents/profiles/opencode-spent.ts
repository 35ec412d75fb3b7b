import {once} from 'node:events';
import {get, type IncomingMessage} from 'node:http';
import {z} from 'zod';
import type {ServerCount} from '../acp/quirks.ts';

/**
Returns a function that asks opencode's own server for the usage of a conversation: the tokens since the last call, and the money in total.

Over the protocol it reports only the tokens of the last request of a turn, at its end. The result is undefined on the first call, and if the server can't be reached, as from outside the agent's own network.
*/
export const opencodeSpent = ({port, password}: {port: number; password: string}) => {
	const last = new Map<string, number>();
	return async (conversation: string): Promise<ServerCount | undefined> => {
		const path = `/session/${encodeURIComponent(conversation)}`;
		const signal = AbortSignal.timeout(patienceMs);
		try {
			const asked = get({host: '127.0.0.1', port, path, auth: `opencode:${password}`, signal});
			const [response]: [IncomingMessage] = (await once(asked, 'response', {signal})) as never;
			const {tokens, dollars} = spentSchema.parse(JSON.parse(await textOf(response)));
			const before = last.get(conversation);
			last.set(conversation, Math.max(before ?? 0, tokens));
			return before === undefined ? undefined : {tokens: Math.max(0, tokens - before), dollars};
		} catch {
			return undefined;
		}
	};
};

/** Time to answer, in milliseconds, and longest answer, in characters. */
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
