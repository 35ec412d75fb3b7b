import {expect, test} from 'vitest';
import {troubleText} from '../../../src/agents/acp/cause.ts';
import {limitOfClaude} from '../../../src/agents/trouble/limit.ts';
import {
	type ReportedError,
	troubleInWords,
	troubleOfCodex,
	troubleOfError,
} from '../../../src/agents/trouble/read-error.ts';

const moment = {now: '2026-11-28T01:06:00.000Z', zone: 'Europe/Berlin'};

const read = (error: ReportedError) => troubleOfError(error, moment);

/** An error for which the protocol has no number of its own. */
const internal = (message: string, data: unknown): ReportedError => ({code: -32603, message, data});

/** Errors as the programs of three makes told them when the services of their models failed on purpose. */
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
		internal("Internal error: You've hit your 5-hour limit · resets 3:10am (UTC)", {}),
		"its model takes no more requests for now: You've hit your 5-hour limit · resets 3:10am (UTC); requests are taken again at 2026-11-28 03:10 UTC",
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
		'its conversation is too long for its model: Prompt is too long; `restart` has it begin a new one, in its worktree as it is',
	],
	[
		'claude',
		internal('Internal error', {
			details: 'The Claude Agent process exited unexpectedly. Please start a new session.',
		}),
		'the agent reported an error: The Claude Agent process exited unexpectedly',
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
];

test.each([
	['Insufficient credits', 'credit'],
	['invalid x-api-key', 'login'],
	['Something', 'request'],
	['Connection reset by server', 'network'],
	['Provider response headers timed out after 300000ms', 'network'],
	['SSE read timed out', 'network'],
	['idle timeout waiting for websocket', 'network'],
	['Provider finish_reason: network_error', 'network'],
	['Response decompression failed', 'network'],
	['Server error.', 'service'],
	['MCP server error', 'request'],
	['Quota exceeded. Check your plan and billing details.', 'credit'],
	['To use Codex with your ChatGPT plan, upgrade to Plus: https://example.com', 'credit'],
])('opencode, which passes no status on, means by %j: %s', (said, kind) => {
	expect(read(internal(said, {errorName: 'APIError'})).kind).toBe(kind);
});

test.each(told)('%s: %j is told truly', (_, error, text) => {
	expect(troubleText(read(error), 'run `it login`')).toBe(text);
});

test.each([
	['Please try again in 1.898s.', 1898],
	['Please retry in 59s', 59_000],
	['Please try again in 20ms', 20],
	['Please try again later', undefined],
])('a pause that is over in a moment is told as that: %j, %s ms', (message, retryAfterMs) => {
	expect({retryAfterMs: undefined, ...read({code: 429, message})}).toEqual({
		...{kind: 'rate', said: message, retryAfterMs},
	});
});

test.each([
	['Try again in 5 minutes', {name: 'limit', until: '2026-11-28T01:11:00.000Z'}],
	[
		"You've hit your 5-hour limit · resets 3:10am (UTC)",
		{name: '5-hour limit', until: '2026-11-28T03:10:00.000Z'},
	],
	[
		'You’ve hit your usage limit. Upgrade to Pro or try again at Dec 2nd, 2026 3:10 AM.',
		{name: 'usage limit', until: '2026-12-02T02:10:00.000Z'},
	],
	[
		"You've hit your Opus limit · resets 3:10am (UTC)",
		{name: 'Opus limit', until: '2026-11-28T03:10:00.000Z', ofModel: true},
	],
	[
		'You have exhausted your daily quota on this model.',
		{name: 'daily quota', until: '2026-11-28T08:00:00.000Z', ofModel: true},
	],
	[
		'Usage limit reached, resets 1:05am (UTC)',
		{name: 'usage limit', until: '2026-11-28T01:05:00.000Z'},
	],
	['You’ve hit your usage limit.', undefined],
])('a limit is told with its name and its reset: %j', (message, limit) => {
	expect(read({code: 429, message}).limit).toEqual(limit);
	expect(troubleOfCodex('usageLimitExceeded', message, moment).limit).toEqual(limit);
	expect(troubleInWords(message, moment).limit ?? limit).toEqual(limit);
});

test('a time that is told beside the words counts, whatever they say', () => {
	const error = {code: 429, message: 'Try again in 5 minutes', data: {retryAfter: 3600}};
	expect(read(error)).toMatchObject({
		kind: 'rate',
		limit: {name: 'limit', until: '2026-11-28T02:06:00.000Z'},
	});
});

test.each([
	[{resets_at: 1_795_835_400}, '2026-11-28T03:10:00.000Z'],
	[{resets_in_seconds: 7440}, '2026-11-28T03:10:00.000Z'],
	[{resets_at: 1e300, resets_in_seconds: 'soon'}, undefined],
])('what a service answered is read where an agent passes it on: %j', (fields, until) => {
	const message = JSON.stringify({
		error: {type: 'usage_limit_reached', message: 'Full', ...fields},
	});
	expect(read({code: -32603, message})).toMatchObject({kind: 'rate', said: 'Full'});
	expect(read({code: -32603, message}).limit?.until).toBe(until);
});

test('only what is refused for too many requests is a limit', () => {
	const message = 'Overloaded. Try again in 5 minutes';
	expect(read({code: 529, message})).toEqual({
		...{kind: 'overloaded', said: message, retryAfterMs: 300_000},
	});
});

test.each([
	[{status: 'rejected', resetsAt: 1_795_835_400, rateLimitType: 'five_hour'}, '5-hour limit'],
	[{status: 'rejected', resetsAt: 1_795_835_400, rateLimitType: 'seven_day'}, 'weekly limit'],
	[{status: 'rejected', resetsAt: 1_795_835_400, rateLimitType: 'fortnight'}, 'limit'],
	[{status: 'rejected', resetsAt: 1_795_835_400}, 'limit'],
	[{status: 'allowed_warning', resetsAt: 1_795_835_400}, undefined],
	[{status: 'rejected', resetsAt: 1e300}, undefined],
	[{status: 'rejected'}, undefined],
	['rejected', undefined],
])('Claude Code tells of a limit in fields: %j', (info, name) => {
	const until = '2026-11-28T03:10:00.000Z';
	expect(limitOfClaude(info)).toEqual(name === undefined ? undefined : {name, until});
});

test.each([undefined, null, 'text', 7, [], {errorKind: 5, codexErrorInfo: null}])(
	'data of any shape beside an error is no failure: %j',
	data => {
		expect(read({code: -32603, message: 'Odd', data}).kind).toBe('unknown');
	},
);
