import {expect, test} from 'vitest';
import {type ReportedError, troubleOfError} from '../../../src/agents/trouble/read-error.ts';
import {troubleText} from '../../../src/agents/trouble/trouble-text.ts';

/** An error for which the protocol has no number of its own. */
const internal = (message: string, data: unknown): ReportedError => ({code: -32603, message, data});

/** Errors as the programs of the four makes told them when the services of their models failed on purpose. */
const told: readonly (readonly [make: string, error: ReportedError, text: string])[] = [
	[
		'claude',
		{code: -32000, message: 'Authentication required'},
		'it is not logged in, or its login was refused: Authentication required; to log in, run `it login`',
	],
	[
		'claude',
		internal('Internal error: Your credit balance is too low', {errorKind: 'billing_error'}),
		'its account is out of credit: Your credit balance is too low; add some, then try again',
	],
	[
		'claude',
		internal("Internal error: You've hit your weekly limit", {errorKind: 'rate_limit'}),
		"its model takes no more requests for now: You've hit your weekly limit",
	],
	[
		'claude',
		{
			code: -32603,
			message:
				'Internal error: API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
		},
		'the service of its model is overloaded: Overloaded',
	],
	[
		'claude',
		internal('Internal error: Prompt is too long', {errorKind: 'invalid_request'}),
		'its conversation is too long for its model: Prompt is too long',
	],
	[
		'claude',
		internal('Internal error', {errorKind: 'transport_lost'}),
		'the service of its model can’t be reached: Internal error; see whether the network is there',
	],
	[
		'codex',
		internal('Internal error', {
			message: 'You’ve hit your usage limit. Try again later.',
			codexErrorInfo: 'usageLimitExceeded',
		}),
		'its model takes no more requests for now: You’ve hit your usage limit. Try again later',
	],
	[
		'claude',
		internal('Internal error: API Error: 529 Overloaded', {errorKind: 'server_error'}),
		'the service of its model is overloaded: API Error: 529 Overloaded',
	],
	[
		'gemini',
		internal('Internal error', {details: 'Unexpected end of JSON input'}),
		'the agent reported an error: Unexpected end of JSON input',
	],
	[
		'gemini',
		{code: 500, message: 'Requested entity was not found.'},
		'its model was not found: Requested entity was not found; name another one in the plan or in the agent’s own settings',
	],
	[
		'gemini',
		{code: 500, message: 'terminated'},
		'the service of its model can’t be reached: terminated; see whether the network is there',
	],
	['gemini', {code: 500, message: 'Nobody knows'}, 'the agent reported an error: Nobody knows'],
	['gemini', {code: 529, message: 'Busy'}, 'the service of its model is overloaded: Busy'],
	[
		'gemini',
		{code: 401, message: '{"error":\n"key"}'},
		'it is not logged in, or its login was refused: {"error": "key"}; to log in, run `it login`',
	],
	[
		'gemini',
		{
			code: 429,
			message:
				'{"error":{"code":429,"message":"Quota exceeded. Please retry in 34.07s.","status":"RESOURCE_EXHAUSTED"}}',
		},
		'its model takes no more requests for now: Quota exceeded. Please retry in 34.07s; it asks to be tried again in 34s',
	],
	[
		'opencode',
		internal('Insufficient credits', {errorName: 'APIError'}),
		'its account is out of credit: Insufficient credits; add some, then try again',
	],
	[
		'opencode',
		internal('invalid x-api-key', {errorName: 'APIError'}),
		'it is not logged in, or its login was refused: invalid x-api-key; to log in, run `it login`',
	],
	[
		'opencode',
		internal('Something', {errorName: 'APIError'}),
		'the service of its model refused the request: Something',
	],
];

test.each(told)('%s: %j is told truly', (_, error, text) => {
	expect(troubleText(troubleOfError(error), 'run `it login`')).toBe(text);
});

test.each([
	['Please try again in 1.898s.', 1898],
	['Try again in 5 minutes', 300_000],
	['Please retry in 2h', 7_200_000],
	['Please try again in 20ms', 20],
	['Please try again later', undefined],
])('what %j says of time is taken in: %s ms', (message, retryAfterMs) => {
	expect(troubleOfError({code: 429, message}).retryAfterMs).toBe(retryAfterMs);
});

test('a time that is told beside the words counts', () => {
	const error = {code: 429, message: 'Try again in 5 minutes', data: {retryAfter: 3600}};
	expect(troubleOfError(error)).toMatchObject({kind: 'rate', retryAfterMs: 3_600_000});
});

test.each([undefined, null, 'text', 7, [], {errorKind: 5, codexErrorInfo: null}])(
	'data of any shape beside an error is no failure: %j',
	data => {
		expect(troubleOfError({code: -32603, message: 'Odd', data}).kind).toBe('unknown');
	},
);
