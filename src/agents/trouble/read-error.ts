import type {RequestError} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {ModelTrouble, TroubleKind} from '../../events/model-trouble.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {defined} from '../../lib/values.ts';
import type {Moment} from '../../lib/zoned-time.ts';
import {oneLine, shortLine} from '../turn.ts';
import {limitName, metLimit, type Refused, resetTimeOf} from './limit.ts';

const number = z.number().optional().catch(undefined);
const text = z.string().optional().catch(undefined);
const map = z.record(z.string(), z.unknown());
const error = z.union([z.string(), map]).optional().catch(undefined);

/** Fields in `data` of an agent's error: `errorKind` is Claude's, `codexErrorInfo` Codex's, `details` Gemini's, `errorName` opencode's. */
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

/** Parts of an error over the Agent Client Protocol that are read. */
export type ReportedError = Pick<RequestError, 'code' | 'message'> & {readonly data?: unknown};

/** Returns the trouble in the error of a request. */
export const troubleOfError = (
	{code, message, data}: ReportedError,
	moment: Moment,
): ModelTrouble => {
	const told = dataSchema.safeParse(data).data;
	const words = wordsOf(message, told);
	const upstream = upstreamIn(words);
	return trouble(
		{
			...upstream,
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
				// Gemini CLI uses 500 for all errors without a status.
				code === 500 ? undefined : code,
			],
			said: oneLine(upstream?.message ?? words),
			afterS: told?.retryAfter ?? upstream?.afterS,
			isLogin: code === loginCode,
		},
		moment,
	);
};

/** Returns the trouble in Codex's own error, with its last words. */
export const troubleOfCodex = (info: unknown, message: string, moment: Moment): ModelTrouble => {
	const upstream = upstreamIn(message);
	const known = error.parse(info);
	return trouble(
		{
			...upstream,
			names: [...(upstream?.names ?? []), ...namesIn(known)],
			statuses: [statusIn(known), upstream?.code, statusInWords(message)],
			said: oneLine(upstream?.message ?? message),
		},
		moment,
	);
};

/** Returns the trouble in an agent's words. */
export const troubleInWords = (words: string, moment: Moment): ModelTrouble =>
	trouble({names: [], statuses: [statusInWords(words)], said: oneLine(words)}, moment);

/** The protocol's error code for "authentication required". */
const loginCode = -32000;

type Evidence = {
	readonly names: readonly (string | undefined)[];
	readonly statuses: readonly (number | undefined)[];
	readonly said: string;
	readonly isLogin?: boolean;
} & Omit<Refused, 'words'>;

const trouble = (evidence: Evidence, moment: Moment): ModelTrouble => {
	const kind = kindOf(evidence);
	const refused = {...evidence, words: evidence.said};
	const limit = kind === 'rate' ? metLimit(refused, moment) : undefined;
	const at = resetTimeOf(refused, moment);
	const retryAfterMs =
		at === undefined || limit !== undefined ? undefined : Math.max(0, at - Date.parse(moment.now));
	const said = shortLine(evidence.said.replace(wrongAdvice, ''));
	return {kind, said, ...defined({limit, retryAfterMs})};
};

/** Returns the kind of trouble. A name is more reliable than a status, except that of a lost connection, which Codex uses for every status, and that of a server error, which Claude uses for an overload; both are more reliable than words. */
const kindOf = ({names, statuses, said, isLogin = false}: Evidence): TroubleKind => {
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

/** Claude Code's advice after its process was killed, which is wrong here: the next turn continues the conversation. */
const wrongAdvice = / Please start a new session\.?$/;

/** Returns the meaningful words of an error: a generic message may precede or replace them. */
const wordsOf = (message: string, told: z.output<typeof dataSchema> | undefined): string => {
	const words = message.replace(/^Internal error(?::\s*|$)/i, '');
	return words === '' ? (told?.details ?? told?.message ?? message) : words;
};

/** Returns Codex's name for an error, or the key above its status. */
const namesIn = (info: z.output<typeof error>): readonly string[] =>
	info === undefined ? [] : typeof info === 'string' ? [info] : Object.keys(info);

const statusSchema = z.object({httpStatusCode: z.number()});

const statusIn = (info: z.output<typeof error>): number | undefined =>
	info === undefined || typeof info === 'string'
		? undefined
		: Object.values(info)
				.map(value => statusSchema.safeParse(value).data?.httpStatusCode)
				.find(status => status !== undefined);

/** Returns the HTTP status in words, in the forms that clients of such services use. */
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
		resets_at: number,
		resets_in_seconds: number,
	}),
});

type Upstream = {
	readonly message: string;
	readonly names: readonly (string | undefined)[];
	readonly code?: number;
} & Omit<Refused, 'words'>;

/** Returns a service's error that an agent passed on unchanged. */
const upstreamIn = (words: string): Upstream | undefined => {
	const json = readJsonObject(words.slice(Math.max(0, words.indexOf('{'))));
	const {error} = upstreamSchema.safeParse(json).data ?? {};
	if (error === undefined) {
		return undefined;
	}

	const {message, type, status, code, resets_at: at, resets_in_seconds: afterS} = error;
	return {
		message,
		atMs: at === undefined ? undefined : at * 1000,
		afterS,
		names: [typeof code === 'string' ? code : undefined, status, type],
		...(typeof code === 'number' ? {code} : {}),
	};
};

/** Returns the kind of trouble for an error's name, if known. */
const kindOfName = (name: string): TroubleKind | undefined => kindsByName.get(name);

/** Returns the kind of trouble for an HTTP status; `undefined` if it is no failure. */
const kindOfStatus = (status: number): TroubleKind | undefined =>
	kindsByStatus.get(status) ??
	(status >= 500 && status < 600
		? 'service'
		: status >= 400 && status < 500
			? 'request'
			: undefined);

/** Returns the kind of trouble in words; used only if nothing more reliable exists. */
const kindOfWords = (words: string): TroubleKind | undefined =>
	phrases.find(([, pattern]) => pattern.test(words))?.[0];

/** Names of errors in the services of Anthropic, OpenAI and Google, and in the programs of Claude, Codex and opencode. */
const names = {
	login: [
		'authentication_error',
		'authentication_failed',
		'invalid_api_key',
		'ProviderAuthError',
		'UNAUTHENTICATED',
		'unauthorized',
	],
	access: [
		'permission_error',
		'oauth_org_not_allowed',
		'verification_required',
		'cloud_credential_error',
		'PERMISSION_DENIED',
	],
	credit: ['billing_error', 'account_on_hold', 'insufficient_quota', 'usage_not_included'],
	rate: [
		'rate_limit',
		'rate_limit_error',
		'rate_limit_exceeded',
		'rateLimitExceeded',
		'RESOURCE_EXHAUSTED',
		'usageLimitExceeded',
		'usage_limit_reached',
	],
	overloaded: ['overloaded', 'overloaded_error', 'serverOverloaded', 'UNAVAILABLE'],
	service: ['server_error', 'api_error', 'internalServerError', 'INTERNAL'],
	network: [
		'transport_lost',
		'httpConnectionFailed',
		'responseStreamConnectionFailed',
		'responseStreamDisconnected',
	],
	context: ['contextWindowExceeded', 'context_length_exceeded', 'ContextOverflowError'],
	model: ['model_not_found', 'not_found_error', 'ProviderModelNotFoundError', 'NOT_FOUND'],
	refused: ['cyberPolicy', 'misalignmentPolicyViolation', 'ContentFilterError'],
	limit: ['max_output_tokens'],
} as const satisfies Partial<Record<TroubleKind, readonly string[]>>;

const kindsByName: ReadonlyMap<string, TroubleKind> = new Map(
	Object.entries(names).flatMap(([kind, those]) =>
		those.map((name): [string, TroubleKind] => [name, kind as keyof typeof names]),
	),
);

const kindsByStatus: ReadonlyMap<number, TroubleKind> = new Map([
	[401, 'login'],
	[402, 'credit'],
	[403, 'access'],
	[404, 'model'],
	[408, 'network'],
	[413, 'context'],
	[429, 'rate'],
	[503, 'overloaded'],
	[529, 'overloaded'],
]);

/** The first match counts. */
const phrases: readonly (readonly [TroubleKind, RegExp])[] = [
	['refused', /\breason: content_filter\b|refused by the safety system/i],
	['limit', /\bmax_output_tokens\b|output token maximum/i],
	['context', /prompt (?:is|as) too long|context[ _](?:length|window)|maximum context/i],
	[
		'login',
		/\b401\b|unauthori[sz]ed|authenticat|\b(?:x-)?api[ _-]key\b|\blog(?:ged)? ?in\b|\/login\b/i,
	],
	[
		'credit',
		/out of credit|credit balance|insufficient (?:credit|balance|funds)|payment required|^Quota exceeded\. Check your plan|^To use Codex with your ChatGPT plan/i,
	],
	['rate', /too many requests|rate limit|quota|resource has been exhausted/i],
	['rate', limitName],
	['overloaded', /\boverloaded\b|service unavailable/i],
	[
		'service',
		/(?:^|[:.] |\b(?:api|internal|upstream|5\d\d) )server error\b|experiencing high demand|internal error encountered|bad gateway|gateway time-?out/i,
	],
	['model', /no such model|requested entity was not found|\bmodel\b.{0,80}\bnot (?:found|exist)/i],
	[
		'network',
		/\bE(?:CONNRESET|CONNREFUSED|NOTFOUND|TIMEDOUT|AI_AGAIN)\b|fetch failed|socket hang up|cannot connect|stream disconnected|connection reset|decompression failed|network_error|(?:headers|read) timed out|idle timeout|error (?:sending request|reading a body)|^terminated\.?$/i,
	],
];
