import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import {type ReportedTokens, tokensReported} from '../../../events/reported-tokens.ts';
import {defined} from '../../../lib/values.ts';
import type {ServerCount} from '../quirks.ts';

/** What was used up since the last such report. */
type Report =
	| ({readonly kind: 'tokens'} & ReportedTokens)
	| {
			readonly kind: 'usage';
			readonly used: number;
			readonly size: number;
			readonly cost: {readonly amount: number; readonly currency: string};
	  };

export type CountParts = {
	/** Whether the context that it tells in a turn is what the latest request to its model took. */
	readonly countsRequests?: boolean;
	/** Asks the agent's own server which tokens are used up that it did not return yet, and for the money in all. */
	readonly spent?: () => Promise<ServerCount | undefined>;
};

type TokenCount = {
	/** Begins to count for a prompt. */
	readonly begin: () => void;
	readonly update: (update: SessionUpdate) => void;
	/** Takes that no tool is in use any more: what comes is of another request. */
	readonly toolsEnded: () => void;
	/** Reports the tokens of the prompt that were not reported yet. */
	readonly end: (stop: {
		readonly reason: string;
		readonly tokens?: ReportedTokens;
	}) => Promise<void>;
};

/**
Reports the tokens of a prompt while they are spent, as far as the agent tells them: by each request to its model, or when its own server is asked.

Where the answer to the prompt has a sum, that corrects the rest; for a prompt that was cancelled it is 0 with some agents.
*/
export const countTokens = (
	{countsRequests = false, spent}: CountParts,
	onReport: (report: Report) => void,
): TokenCount => {
	let [reported, request, paid] = [0, 0, 0];
	const report = (tokens: ReportedTokens): void => {
		const total = tokensReported(tokens);
		if (total !== 0) {
			reported += total;
			onReport({kind: 'tokens', ...tokens});
		}
	};

	/** Asks the agent's server; returns whether it knows. */
	const look = async (): Promise<boolean> => {
		const news = await spent?.();
		report({total: news?.tokens ?? 0});
		if (news !== undefined && news.dollars > paid) {
			paid = news.dollars;
			onReport({kind: 'usage', used: 0, size: 0, cost: {amount: paid, currency: 'USD'}});
		}

		return news !== undefined;
	};

	return {
		begin: () => {
			[reported, request] = [0, 0];
		},
		update: update => {
			const own = stepSchema.safeParse(update).data?._meta.usage;
			if (own !== undefined) {
				report(tokensOf(own));
			} else if (update.sessionUpdate === 'usage_update') {
				// A look that is under way may know less than this.
				paid = Math.max(paid, update.cost?.amount ?? 0);
				if (countsRequests && update.used > request) {
					report({total: update.used - request});
					request = update.used;
				}
			}
		},
		toolsEnded: () => {
			request = 0;
			void look();
		},
		end: async ({reason, tokens}) => {
			if (!(await look()) && tokens !== undefined) {
				const rest = tokensReported(tokens) - reported;
				report(
					reported === 0 ? tokens : {total: reason === 'cancelled' ? Math.max(0, rest) : rest},
				);
			}
		},
	};
};

/** Returns a function that takes all that a process has told so far, and returns what is new of it. */
export const countOn = (): ((all: ReportedTokens) => ReportedTokens) => {
	let last = 0;
	return all => {
		const total = tokensReported(all);
		const before = total < last ? 0 : last;
		last = total;
		return {total: total - before};
	};
};

/** Reads a field that an agent may omit or get wrong as absent. */
const count = z.number().optional().catch(undefined);

const usageSchema = z.object({inputTokens: count, outputTokens: count, totalTokens: count});

/** A piece of an answer with what the request for it took. */
const stepSchema = z.object({_meta: z.object({usage: usageSchema})});

const answerSchema = z.object({
	usage: usageSchema.optional().catch(undefined),
	_meta: z
		.object({quota: z.object({token_count: z.object({input_tokens: count, output_tokens: count})})})
		.optional()
		.catch(undefined),
});

/** Reads what the answer to a prompt tells of tokens; makes that count them in words of their own tell it in an extension. */
export const tokensIn = (answer: unknown): ReportedTokens | undefined => {
	const {usage = {}, _meta} = answerSchema.safeParse(answer).data ?? {};
	const counted = _meta?.quota.token_count;
	const tokens: ReportedTokens = {
		...defined({input: counted?.input_tokens, output: counted?.output_tokens}),
		...tokensOf(usage),
	};
	return Object.keys(tokens).length === 0 ? undefined : tokens;
};

const tokensOf = ({
	inputTokens,
	outputTokens,
	totalTokens,
}: z.output<typeof usageSchema>): ReportedTokens =>
	defined({input: inputTokens, output: outputTokens, total: totalTokens});
