import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {expect, test} from 'vitest';
import {createCodexFailure} from '../../../src/agents/acp/turn.ts';

const news = (codex: object): SessionUpdate => ({
	sessionUpdate: 'session_info_update',
	_meta: {codex},
});

const status = (type: string): SessionUpdate => news({threadStatus: {type, activeFlags: []}});

const triesAnew = (status: number, details: string): SessionUpdate =>
	news({
		error: {
			message: 'Reconnecting... 5/5',
			codexErrorInfo: {responseStreamDisconnected: {httpStatusCode: status}},
			additionalDetails: details,
			misalignment: null,
			willRetry: true,
		},
	});

const says = (text: string): SessionUpdate => ({
	sessionUpdate: 'agent_message_chunk',
	content: {type: 'text', text},
});

const troubleAfter = (...updates: readonly SessionUpdate[]) => {
	const failure = createCodexFailure();
	for (const update of updates) {
		failure.update(update);
	}

	return failure.trouble({now: '2026-11-28T01:06:00.000Z', zone: 'UTC'});
};

const noCredit =
	'unexpected status 402 Payment Required: You are out of credit, url: http://127.0.0.1:1/v1/responses';
const overloaded =
	'unexpected status 529 <unknown status code>: Overloaded, url: http://127.0.0.1:1/v1/responses';
const tooLong =
	'{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded","type":"invalid_request_error"}}';

const busy = 'We’re currently experiencing high demand, which may cause temporary errors.';
const filtered =
	'stream disconnected before completion: Incomplete response returned, reason: content_filter';
const spent = 'Incomplete response returned, reason: max_output_tokens';

test.each([
	['credit', 402, noCredit, noCredit],
	['overloaded', 529, overloaded, overloaded],
	['service', undefined, busy, busy],
	['refused', undefined, filtered, filtered],
	['limit', undefined, spent, spent],
	['context', undefined, tooLong, 'Your input exceeds the context window of this model.'],
])('a turn of Codex that failed for %s is heard as that', (kind, code, words, said) => {
	const tries = code === undefined ? [] : [triesAnew(code, words)];
	const updates = [status('active'), ...tries, status('systemError'), says(`${words}\n\n`)];
	expect(troubleAfter(...updates)).toEqual({kind, said});
});

test('Codex that was cut off and says nothing of it is heard by what it tried again', () => {
	const dropped = 'stream disconnected before completion';
	const tried = news({
		error: {
			message: 'Reconnecting... 1/5',
			codexErrorInfo: {responseStreamDisconnected: {httpStatusCode: null}},
			additionalDetails: dropped,
		},
	});
	expect(troubleAfter(tried, status('systemError'))).toEqual({kind: 'network', said: dropped});
});

test('a conversation in error that says nothing of its cause is told as unknown', () => {
	expect(troubleAfter(status('systemError'))?.kind).toBe('unknown');
});

test('a turn of Codex that went on after another try has no trouble', () => {
	expect(troubleAfter(triesAnew(500, 'Oops'), says('Here I am.'))).toBeUndefined();
});

test('what went wrong before Codex went on is not the cause of its end', () => {
	expect(
		troubleAfter(
			triesAnew(402, noCredit),
			says('Here I am.'),
			status('systemError'),
			says(overloaded),
		)?.kind,
	).toBe('overloaded');
});

test.each([{}, {_meta: null}, {_meta: {codex: {threadStatus: 7, error: 'x'}}}])(
	'news of any other shape tells of no trouble: %j',
	rest => {
		expect(troubleAfter({sessionUpdate: 'session_info_update', ...rest})).toBeUndefined();
	},
);

test('each try that Codex makes again is told with its reason, and is no trouble yet', () => {
	const told: string[] = [];
	const failure = createCodexFailure(why => told.push(why));
	failure.update(triesAnew(529, overloaded));
	expect(told).toEqual([`Reconnecting... 5/5: ${overloaded}`]);
	expect(failure.trouble({now: '2026-11-28T01:06:00.000Z', zone: 'UTC'})).toBeUndefined();
});
