import type {RequestError} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {ModelTrouble, TroubleKind} from '../../events/model-trouble.ts';
import {defined} from '../../lib/defined.ts';
import {readJsonObject} from '../../lib/text/json-object.ts';
import {oneLine, shortLine} from '../one-line.ts';
import {kindOfName, kindOfStatus, kindOfWords} from './kinds.ts';
import {retryAfterIn} from './retry-after.ts';

const number = z.number().optional().catch(undefined);
const text = z.string().optional().catch(undefined);
const map = z.record(z.string(), z.unknown());
const error = z.union([z.string(), map]).optional().catch(undefined);

/** What agents put beside the message of an error: Claude its kind, Codex its info, Gemini details, opencode a name. */
const dataSchema = z.object({
	errorKind: text,
	errorName: text,
	statusCode: number,
	status: number,
	message: text,
	details: text,
	codexErrorInfo: error,
	retryAfter: number,
});

/** An error over the Agent Client Protocol, as far as it is read. */
export type ReportedError = Pick<RequestError, 'code' | 'message'> & {readonly data?: unknown};

/** Returns what trouble an agent told by the error of a request. */
export const troubleOfError = ({code, message, data}: ReportedError): ModelTrouble => {
	const told = dataSchema.safeParse(data).data;
	const words = wordsOf(message, told);
	const upstream = upstreamIn(words);
	const said = oneLine(upstream?.message ?? words);
	return trouble({
		names: [
			told?.errorKind,
			told?.errorName,
			...namesIn(told?.codexErrorInfo),
			...(upstream?.names ?? []),
		],
		statuses: [
			told?.statusCode,
			told?.status,
			statusIn(told?.codexErrorInfo),
			upstream?.code,
			statusInWords(words),
			// Gemini's program says 500 of all that came without a status.
			code === 500 ? undefined : code,
		],
		said,
		retryAfterS: told?.retryAfter,
		isLogin: code === loginCode,
	});
};

/** Returns what trouble Codex told of by an error of its own, beside the words in which it ended. */
export const troubleOfCodex = (info: unknown, message: string): ModelTrouble => {
	const upstream = upstreamIn(message);
	const known = error.parse(info);
	return trouble({
		names: [...(upstream?.names ?? []), ...namesIn(known)],
		statuses: [statusIn(known), upstream?.code, statusInWords(message)],
		said: oneLine(upstream?.message ?? message),
	});
};

/** Returns what trouble an agent told of in nothing but words. */
export const troubleInWords = (words: string): ModelTrouble =>
	trouble({names: [], statuses: [statusInWords(words)], said: oneLine(words)});

/** What the protocol calls an error for lack of a login. */
const loginCode = -32000;

type Evidence = {
	readonly names: readonly (string | undefined)[];
	readonly statuses: readonly (number | undefined)[];
	readonly said: string;
	readonly retryAfterS?: number | undefined;
	readonly isLogin?: boolean;
};

const trouble = ({
	names,
	statuses,
	said,
	retryAfterS,
	isLogin = false,
}: Evidence): ModelTrouble => ({
	kind: kindOf({names, statuses, said, isLogin}),
	said: shortLine(said),
	...defined({retryAfterMs: retryAfterS === undefined ? retryAfterIn(said) : retryAfterS * 1000}),
});

/** A name tells more than a status, except that of a lost connection, which Codex gives every status, and that of a server’s error, which Claude gives an overload; either tells more than words. */
const kindOf = ({names, statuses, said, isLogin}: Evidence): TroubleKind => {
	const named = firstOf(names, kindOfName);
	const byStatus = firstOf(statuses, kindOfStatus);
	const inWords = kindOfWords(said);
	if (named === 'service' && [byStatus, inWords].includes('overloaded')) {
		return 'overloaded';
	}

	if (named !== undefined && named !== 'network') {
		return named;
	}

	if (byStatus !== undefined && byStatus !== 'request') {
		return byStatus;
	}

	if (isLogin) {
		return 'login';
	}

	return inWords ?? byStatus ?? named ?? (names.includes('APIError') ? 'request' : 'unknown');
};

const firstOf = <Value>(
	values: readonly (Value | undefined)[],
	kind: (value: Value) => TroubleKind | undefined,
): TroubleKind | undefined =>
	values.map(value => (value === undefined ? undefined : kind(value))).find(known => known);

/** Messages that say nothing stand before what was really said, or instead of it. */
const wordsOf = (message: string, told: z.output<typeof dataSchema> | undefined): string => {
	const words = message.replace(/^Internal error(?::\s*|$)/i, '');
	return words === '' ? (told?.details ?? told?.message ?? message) : words;
};

/** Codex names an error, or puts its status below its name. */
const namesIn = (info: z.output<typeof error>): readonly string[] =>
	info === undefined ? [] : typeof info === 'string' ? [info] : Object.keys(info);

const statusSchema = z.object({httpStatusCode: z.number()});

const statusIn = (info: z.output<typeof error>): number | undefined =>
	info === undefined || typeof info === 'string'
		? undefined
		: Object.values(info)
				.map(value => statusSchema.safeParse(value).data?.httpStatusCode)
				.find(status => status !== undefined);

/** The forms in which clients of such services put a status into words. */
const statusInWords = (words: string): number | undefined => {
	const found = /\b(?:status(?: code)?|HTTP|API Error):? ([45]\d\d)\b/i.exec(words)?.[1];
	return found === undefined ? undefined : Number(found);
};

const upstreamSchema = z.object({
	error: z.object({
		message: z.string(),
		type: text,
		status: text,
		code: z.union([z.number(), z.string()]).optional().catch(undefined),
	}),
});

type Upstream = {
	readonly message: string;
	readonly names: readonly (string | undefined)[];
	readonly code?: number;
};

/** Some agents pass on what their model's service answered, as it is. */
const upstreamIn = (words: string): Upstream | undefined => {
	const json = readJsonObject(words.slice(Math.max(0, words.indexOf('{'))));
	const {error} = upstreamSchema.safeParse(json).data ?? {};
	if (error === undefined) {
		return undefined;
	}

	const {message, type, status, code} = error;
	return {
		message,
		names: [typeof code === 'string' ? code : undefined, status, type],
		...(typeof code === 'number' ? {code} : {}),
	};
};
