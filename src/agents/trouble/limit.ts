import {z} from 'zod';
import type {ModelLimit} from '../../events/model-trouble.ts';
import type {Moment} from '../../lib/zoned-time.ts';
import {resetTimeIn} from './reset-time.ts';

/** What was told of a request that was refused since there had been too many. */
export type Refused = {
	readonly words: string;
	/** When requests are taken again, in milliseconds since 1970, where that was told in a field. */
	readonly atMs?: number | undefined;
	/** How long to wait, in seconds, where that was. */
	readonly afterS?: number | undefined;
};

/** Returns when requests are taken again, in milliseconds since 1970, where that was told. */
export const resetTimeOf = ({words, atMs, afterS}: Refused, moment: Moment): number | undefined => {
	const told = atMs ?? (afterS === undefined ? undefined : Date.parse(moment.now) + afterS * 1000);
	return told !== undefined && isTime(told) ? told : resetTimeIn(words, moment);
};

/** Returns the limit that was met; nothing when no reset was told, or a pause that is over in a moment and has no name. */
export const limitOf = (refused: Refused, moment: Moment): ModelLimit | undefined => {
	const at = resetTimeOf(refused, moment);
	const [name] = limitName.exec(refused.words) ?? [];
	const isMoment = at === undefined || at - Date.parse(moment.now) < leastMs;
	return at === undefined || (name === undefined && isMoment)
		? undefined
		: {
				name: name === undefined ? 'limit' : modelName.test(name) ? name : name.toLowerCase(),
				until: new Date(at).toISOString(),
				...(modelLimit.test(refused.words) ? {ofModel: true} : {}),
			};
};

const limitName =
	/\b(?:\d+-hour|session|daily|weekly|monthly|usage|opus|sonnet|haiku|fable) (?:limit|quota)\b/i;

const modelName = /^(?:opus|sonnet|haiku|fable)\b/i;

const modelLimit = /\b(?:opus|sonnet|haiku|fable) limit\b|\bon this model\b/i;

/** Services ask for less when a few requests came too fast, in milliseconds. */
const leastMs = 60_000;

/** The latest time that there is, in milliseconds since 1970. */
const isTime = (ms: number): boolean => Math.abs(ms) <= 8.64e15;

const rateLimitSchema = z.object({
	status: z.literal('rejected'),
	resetsAt: z.number().refine(seconds => isTime(seconds * 1000)),
	rateLimitType: z.string().optional(),
});

/** Returns the limit that Claude Code tells of in fields of its own, if it has been met. */
export const limitOfClaude = (info: unknown): ModelLimit | undefined => {
	const {resetsAt, rateLimitType = ''} = rateLimitSchema.safeParse(info).data ?? {};
	const {name, ofModel} = claudeLimits[rateLimitType] ?? {name: 'limit'};
	return resetsAt === undefined
		? undefined
		: {
				name,
				until: new Date(resetsAt * 1000).toISOString(),
				...(ofModel === undefined ? {} : {ofModel}),
			};
};

const claudeLimits: Readonly<Record<string, Pick<ModelLimit, 'name' | 'ofModel'>>> = {
	five_hour: {name: '5-hour limit'},
	seven_day: {name: 'weekly limit'},
	seven_day_opus: {name: 'Opus limit', ofModel: true},
	seven_day_sonnet: {name: 'Sonnet limit', ofModel: true},
};
