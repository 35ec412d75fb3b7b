import type {TroubleKind} from '../../events/model-trouble.ts';

/** Returns what a service or an agent means by the name it gives an error, where that is known. */
export const kindOfName = (name: string): TroubleKind | undefined => kindsByName.get(name);

/** Returns what a status of HTTP says of a request to a model; nothing when it is no failure. */
export const kindOfStatus = (status: number): TroubleKind | undefined =>
	kindsByStatus.get(status) ??
	(status >= 500 && status < 600
		? 'service'
		: status >= 400 && status < 500
			? 'request'
			: undefined);

/** Returns what words say in which an error was told; they are read where nothing better is at hand. */
export const kindOfWords = (words: string): TroubleKind | undefined =>
	phrases.find(([, pattern]) => pattern.test(words))?.[0];

/** As the services of Anthropic, OpenAI and Google name them, the programs of Claude, Codex and opencode. */
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

/** The first that fits counts. */
const phrases: readonly (readonly [TroubleKind, RegExp])[] = [
	['refused', /\breason: content_filter\b|refused by the safety system/i],
	['limit', /\bmax_output_tokens\b|output token maximum/i],
	['context', /prompt is too long|context[ _](?:length|window)|maximum context/i],
	[
		'login',
		/\b401\b|unauthori[sz]ed|authenticat|\b(?:x-)?api[ _-]key\b|\blog(?:ged)? ?in\b|\/login\b/i,
	],
	[
		'credit',
		/out of credit|credit balance|insufficient (?:credit|balance|funds)|payment required/i,
	],
	['rate', /too many requests|rate limit|usage limit|quota|resource has been exhausted/i],
	['overloaded', /\boverloaded\b|service unavailable/i],
	[
		'service',
		/internal server error|experiencing high demand|internal error encountered|bad gateway|gateway time-?out/i,
	],
	['model', /no such model|requested entity was not found|\bmodel\b.{0,80}\bnot (?:found|exist)/i],
	[
		'network',
		/\bE(?:CONNRESET|CONNREFUSED|NOTFOUND|TIMEDOUT|AI_AGAIN)\b|fetch failed|socket hang up|cannot connect|stream disconnected|^terminated\.?$/i,
	],
];
