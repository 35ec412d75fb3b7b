import {z} from 'zod';
import {defined} from '../../../lib/defined.ts';

/** What a prompt has cost an agent, as far as it tells. */
export type Tokens = {readonly input?: number; readonly output?: number; readonly total?: number};

/** What an agent may leave out or get wrong is as good as not said. */
const count = z.number().optional().catch(undefined);

const answerSchema = z.object({
	usage: z
		.object({inputTokens: count, outputTokens: count, totalTokens: count})
		.optional()
		.catch(undefined),
	_meta: z
		.object({quota: z.object({token_count: z.object({input_tokens: count, output_tokens: count})})})
		.optional()
		.catch(undefined),
});

/** Reads what the answer to a prompt tells of tokens; makes that count them in words of their own tell it in an extension. */
export const tokensIn = (answer: unknown): Tokens | undefined => {
	const {usage, _meta} = answerSchema.safeParse(answer).data ?? {};
	const counted = _meta?.quota.token_count;
	const tokens: Tokens = defined({
		input: usage?.inputTokens ?? counted?.input_tokens,
		output: usage?.outputTokens ?? counted?.output_tokens,
		total: usage?.totalTokens,
	});
	return Object.keys(tokens).length === 0 ? undefined : tokens;
};
