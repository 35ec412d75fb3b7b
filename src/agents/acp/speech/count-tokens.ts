import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {ServerCount} from '../quirks.ts';
import type {Detail} from './activity.ts';

export type CountParts = {
	/** True if the context size that the agent reports during a turn is the size of its latest model request. */
	readonly countsRequests?: boolean;
	/** Asks the agent's own server for the tokens since the last call, and for the money in total. */
	readonly spent?: () => Promise<ServerCount | undefined>;
};

type TokenCount = {
	/** Starts to count for a prompt. */
	readonly begin: () => void;
	readonly update: (update: SessionUpdate) => void;
	/** Called when no tool is in use any more: the next usage is that of another request. */
	readonly toolsEnded: () => void;
	/** Reports the remaining tokens of the prompt. */
	readonly end: (stop: {readonly reason: string; readonly tokens?: number}) => Promise<void>;
};

/**
Reports the tokens of a prompt while they are spent, as far as the agent reports each model request, or its own server knows them.

A total in the answer to the prompt corrects the sum; some agents answer a cancelled prompt with 0, and one with a server of its own reports only its last request there.
*/
export const countTokens = (
	{countsRequests = false, spent}: CountParts,
	onDetail: (detail: Detail) => void,
): TokenCount => {
	let [reported, request, paid] = [0, 0, 0];
	const report = (total: number): void => {
		if (total !== 0) {
			reported += total;
			onDetail({kind: 'tokens', total});
		}
	};

	/** Asks the agent's server; returns whether it answered. */
	const look = async (): Promise<boolean> => {
		const news = await spent?.();
		report(news?.tokens ?? 0);
		if (news !== undefined && news.dollars > paid) {
			paid = news.dollars;
			onDetail({kind: 'usage', used: 0, size: 0, cost: {amount: paid, currency: 'USD'}});
		}

		return news !== undefined;
	};

	return {
		begin: () => {
			[reported, request] = [0, 0];
		},
		update: update => {
			report(totalOf(requestSchema.safeParse(update).data?._meta.usage));
			if (update.sessionUpdate === 'usage_update') {
				// A pending request to the server may return less than this.
				paid = Math.max(paid, update.cost?.amount ?? 0);
				const used = count.parse(update.used) ?? 0;
				if (countsRequests && used > request) {
					report(used - request);
					request = used;
				}
			}
		},
		toolsEnded: () => {
			request = 0;
			void look();
		},
		end: async ({reason, tokens}) => {
			if (!(await look()) && tokens !== undefined) {
				const rest = tokens - reported;
				report(spent !== undefined || reason === 'cancelled' ? Math.max(0, rest) : rest);
			}
		},
	};
};

/** Returns a function that converts running totals of a process to differences. */
export const countOn = (): ((total: number) => number) => {
	let last = 0;
	return total => {
		const before = total < last ? 0 : last;
		last = total;
		return total - before;
	};
};

/** Parses a field that an agent may omit or get wrong as absent. */
const count = z.int().nonnegative().optional().catch(undefined);

const usageSchema = z.object({inputTokens: count, outputTokens: count, totalTokens: count});

/** A part of an answer with the usage of its request. */
const requestSchema = z.object({_meta: z.object({usage: usageSchema})});

const answerSchema = z.object({
	usage: usageSchema.optional().catch(undefined),
	_meta: z
		.object({quota: z.object({token_count: z.object({input_tokens: count, output_tokens: count})})})
		.optional()
		.catch(undefined),
});

/** Returns the number of tokens in the answer to a prompt, if any; some agents report them in an extension. */
export const tokensIn = (answer: unknown): number | undefined => {
	const {usage, _meta} = answerSchema.safeParse(answer).data ?? {};
	const {input_tokens = 0, output_tokens = 0} = _meta?.quota.token_count ?? {};
	return totalOf(usage) || input_tokens + output_tokens || undefined;
};

const totalOf = ({
	inputTokens = 0,
	outputTokens = 0,
	totalTokens = inputTokens + outputTokens,
}: z.output<typeof usageSchema> = {}): number => totalTokens;
