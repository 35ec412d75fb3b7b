import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Detail} from '../../../src/agents/acp/speech/activity.ts';
import type {StreamVendor} from '../../../src/events/plan.ts';
import {streamVendors} from '../../../src/events/vendors.ts';
import type {Signal} from '../../../src/signals/index.ts';
import {watchForStopped} from '../../../src/supervisor/requests/allowed-command.ts';
import {startPrinting} from '../start-printing.ts';

/** Runs a program that prints a stream, to its end. */
const run = async (vendor: StreamVendor, command: readonly string[], login?: string) => {
	const signals: Signal[] = [];
	const details: Detail[] = [];
	const {turn, transcript} = await startPrinting(command, {
		stream: vendor,
		...(login === undefined ? {} : {quirks: {login}}),
		onSignal: signal => signals.push(signal),
		onDetail: detail => details.push(detail),
	});
	const {end} = await turn.ended;
	const kept = `${transcript}.ndjson`;
	return {
		end,
		signals,
		details,
		transcript: readFileSync(transcript, 'utf8'),
		kept: existsSync(kept) ? readFileSync(kept, 'utf8') : '',
	};
};

const streamOf = (vendor: StreamVendor): string =>
	resolve(import.meta.dirname, '../../../fixtures/streams', `${vendor}.ndjson`);

const play = (vendor: StreamVendor) => run(vendor, ['cat', streamOf(vendor)]);

/** Prints lines and exits with 0, as agents do whatever has happened. */
const printing = (vendor: StreamVendor, ...lines: readonly object[]) =>
	run(vendor, ['printf', '%s\\n', ...lines.map(line => JSON.stringify(line))]);

const ofKind = <Kind extends Detail['kind']>(details: readonly Detail[], kind: Kind) =>
	details.filter((detail): detail is Extract<Detail, {kind: Kind}> => detail.kind === kind);

it('tells of a command that should have reached other machines as failed, by its words', async () => {
	const command = "/bin/bash -lc 'git push origin main'";
	const item = {id: '1', type: 'command_execution', command, status: 'failed'};
	const {details} = await printing('codex', {type: 'item.completed', item});
	const stopped: string[] = [];
	details.forEach(watchForStopped(({what}) => stopped.push(what)).hear);
	expect(stopped).toEqual(['git push']);
});

it.each<[StreamVendor, (output: string) => object]>([
	[
		'claude',
		content => ({
			type: 'user',
			message: {
				content: [
					{type: 'tool_result', tool_use_id: '1', content: [{type: 'text', text: content}]},
				],
			},
		}),
	],
	[
		'codex',
		aggregated_output => ({
			type: 'item.completed',
			item: {id: '1', type: 'command_execution', command: 'cat', aggregated_output},
		}),
	],
	['gemini', output => ({type: 'tool_result', tool_id: '1', status: 'success', output})],
	[
		'opencode',
		output => ({
			type: 'tool_use',
			part: {callID: '1', tool: 'bash', state: {status: 'completed', input: {}, output}},
		}),
	],
])(
	'tells of a path that a tool of %s was denied, and of none that it only speaks of',
	async (vendor, line) => {
		const {details} = await printing(
			vendor,
			line('cat: /srv/key: No such file or directory'),
			line('/srv/log'),
		);
		expect(ofKind(details, 'denied')).toEqual([{kind: 'denied', path: '/srv/key', to: 'read'}]);
	},
);

describe.each(streamVendors)('a stream of %s', vendor => {
	it('is words with signals in them, and tells its conversation, its cost and a tool that failed', async () => {
		const {end, signals, details, transcript, kept} = await play(vendor);
		expect(end).toEqual({by: 'exit', code: 0});
		expect(signals.map(({kind}) => kind)).toEqual(['completion_report']);
		expect(transcript).toMatch(/^(Let me write it\.|Start\.)$/m);
		expect(transcript).toContain('[COMPLETION_REPORT]\nstatus: success\n');
		expect(transcript).not.toContain('said by the person');
		expect(kept).toBe(readFileSync(streamOf(vendor), 'utf8'));
		expect(ofKind(details, 'conversation')).toEqual([{kind: 'conversation', id: `s-${vendor}`}]);
		expect(ofKind(details, 'tokens')).toMatchObject([{input: 30, output: 4}]);
		const failed = ofKind(details, 'tool').filter(({status}) => status === 'failed');
		expect(failed).toMatchObject([{tool: 'edit', paths: [expect.stringContaining('a.txt')]}]);
		expect(ofKind(details, 'trouble')).toHaveLength(1);
	});
});

describe('what an agent was refused', () => {
	it('is told of as such where the stream tells it, though the run was a success', async () => {
		const {details, end} = await play('claude');
		expect(ofKind(details, 'refusal')).toEqual([{kind: 'refusal', about: 't-1', title: 'Write'}]);
		expect(ofKind(details, 'tokens')).toMatchObject([{cost: {amount: 0.25, currency: 'USD'}}]);
		expect(end).toEqual({by: 'exit', code: 0});
	});
});

describe('a run whose model says nothing', () => {
	const begins = {type: 'step_start', sessionID: 's-1'};
	const words = {type: 'text', part: {text: 'Now.'}};
	const untilSeen = 'until [ -e seen ]; do sleep 0.02; done';

	it('is told of, also where the agent itself tells of its conversation, until its first word', async () => {
		const told: string[] = [];
		const quiet = Promise.withResolvers<void>();
		const script = `echo '${JSON.stringify(begins)}'; ${untilSeen}; echo '${JSON.stringify(words)}'`;
		const {turn, folder} = await startPrinting(['sh', '-c', script], {
			stream: 'opencode',
			firstMs: 5,
			onQuiet: () => {
				told.push('quiet');
				quiet.resolve();
			},
			onSilence: silence => told.push(silence === undefined ? 'heard' : 'silent'),
		});
		await quiet.promise;
		writeFileSync(join(folder, 'seen'), '');
		await turn.ended;
		expect(told).toEqual(['quiet', 'heard']);
	});

	it('tells of the tries of Claude Code, which are no words of its model', async () => {
		const {details} = await printing('claude', {
			...{type: 'system', subtype: 'api_retry', session_id: 's-1', retry_delay_ms: 576},
			...{attempt: 3, max_retries: 10, error_status: 429, error: 'rate_limit'},
		});
		expect(details).toEqual([{kind: 'retrying', why: 'rate limit (429), try 3 of 10'}]);
	});
});

describe('a run that came to nothing', () => {
	it.each([
		['rejected', {name: '5-hour limit', until: '2026-11-28T03:10:00.000Z'}],
		['allowed_warning', undefined],
	])('met the limit that the stream of Claude tells of in an event: %s', async (status, limit) => {
		const info = {status, resetsAt: 1_795_835_400, rateLimitType: 'five_hour'};
		const lines = [
			{type: 'rate_limit_event', rate_limit_info: info},
			{type: 'result', subtype: 'success', is_error: true, result: 'API Error: 429 Full'},
		];
		const {end} = await printing('claude', ...lines);
		expect(end).toMatchObject({by: 'error', trouble: {kind: 'rate'}});
		expect(end.by === 'error' && end.trouble?.limit).toEqual(limit);
	});

	it.each([
		'You’ve hit your 5-hour limit · resets 3:10am (UTC)',
		'You’ve used up what your plan holds for now',
	])('met that limit whatever words it ends in: %s', async result => {
		const info = {status: 'rejected', resetsAt: 1_795_835_400, rateLimitType: 'five_hour'};
		const lines = [
			{type: 'rate_limit_event', rate_limit_info: info},
			{type: 'result', subtype: 'success', is_error: true, result},
		];
		const {end} = await printing('claude', ...lines);
		const limit = {name: '5-hour limit', until: '2026-11-28T03:10:00.000Z'};
		expect(end).toMatchObject({by: 'error', trouble: {kind: 'rate', limit}});
	});

	it('met no limit where it was refused for its login, whatever was told before', async () => {
		const info = {status: 'rejected', resetsAt: 1_795_835_400, rateLimitType: 'five_hour'};
		const lines = [
			{type: 'rate_limit_event', rate_limit_info: info},
			{type: 'result', subtype: 'success', is_error: true, result: 'Please run /login'},
		];
		const {end} = await printing('claude', ...lines);
		expect(end).toMatchObject({by: 'error', trouble: {kind: 'login'}});
	});

	it.each([
		[
			'claude',
			{
				type: 'result',
				subtype: 'error_during_execution',
				is_error: true,
				result: 'Please run /login',
			},
			'Please run /login',
		],
		['claude', {type: 'result', subtype: 'error_max_turns', is_error: true}, 'error_max_turns'],
		['codex', {type: 'turn.failed', error: {message: 'stream\nlost'}}, 'stream lost'],
		[
			'gemini',
			{type: 'result', status: 'error', error: {type: 'x', message: 'Quota is used up'}},
			'Quota is used up',
		],
		[
			'opencode',
			{type: 'error', error: {name: 'ProviderAuthError', data: {message: 'No key'}}},
			'No key',
		],
		['opencode', {type: 'error', error: {name: 'UnknownError'}}, 'UnknownError'],
	] as const)('of %s is no success, though it exits with 0: %j', async (vendor, line, cause) => {
		expect((await printing(vendor, line)).end).toMatchObject({by: 'error', cause});
	});
});

describe('a run for which nobody has logged in', () => {
	const failing = (message: string) =>
		run(
			'codex',
			['printf', '%s\\n', JSON.stringify({type: 'turn.failed', error: {message}})],
			'run `it login`',
		);

	it.each([
		'unexpected status 401: no',
		'Unauthorized',
		'Invalid API key',
		'Please run /login',
		'Not logged in.',
	])('is told of with the command that helps: %s', async message => {
		const cause = `${message.replace('in.', 'in')}; to log in, run \`it login\``;
		expect((await failing(message)).end).toMatchObject({
			by: 'error',
			cause,
			trouble: {kind: 'login'},
		});
	});

	it('is not taken for one that was refused for now', async () => {
		expect((await failing('Too many requests, try again in 40s')).end).toMatchObject({
			trouble: {kind: 'rate', retryAfterMs: 40_000},
		});
	});

	it('is not suspected of every run', async () => {
		const message = 'Blog index 4010 is gone';
		expect((await failing(message)).end).toEqual({by: 'error', cause: message});
	});
});

describe('a passage without a line end', () => {
	const printingAll = (...lines: readonly (object | string)[]) =>
		run('gemini', [
			'printf',
			'%s\\n',
			...lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))),
		]);

	const says = (content: string) => ({type: 'message', role: 'assistant', content});

	it('is none of what is said after trouble, after a tool, and in plain words in between', async () => {
		const {signals, transcript} = await printingAll(
			says('I try'),
			{type: 'error', message: 'Stream lost, retrying'},
			says('STATUS: tries again\nI call'),
			{type: 'tool_use', tool_name: 'read_file', tool_id: 't-1', parameters: {}},
			says('Reading'),
			{type: 'tool_result', tool_id: 't-1', status: 'success'},
			says('SUMMARY: re'),
			'COUNT: 1',
			says('ad\nand on'),
		);
		expect(signals.map(({kind, ...said}) => [kind, 'value' in said && said.value])).toEqual([
			['status', 'tries again'],
			['count', 1],
			['summary', 'read'],
		]);
		expect(transcript).toContain('Reading\nSUMMARY: re\nCOUNT: 1\nad\n');
	});

	it('is none of what Claude says behind a tool, also where its messages have no name', async () => {
		const says = (text: string) => ({
			type: 'assistant',
			message: {content: [{type: 'text', text}]},
		});
		const uses = {type: 'tool_use', id: 't-1', name: 'Edit', input: {}};
		const {signals} = await printing(
			'claude',
			says('Info: gave up'),
			{type: 'assistant', message: {content: [uses]}},
			says('STATUS: asks\nCOUNT: 1\n'),
		);
		expect(signals.map(({kind}) => kind)).toEqual(['status', 'count']);
	});
});

describe('a line that is not known', () => {
	it.each(streamVendors)('tells nothing to %s, of whatever shape it is', async vendor => {
		const {end, details, signals} = await printing(vendor, {type: 'tomorrow', part: [1, null]});
		expect([end, details, signals]).toEqual([{by: 'exit', code: 0}, [], []]);
	});

	it('counts as words when it is no JSON', async () => {
		const {signals} = await run('codex', ['printf', 'SUMMARY: plain\n42\n']);
		expect(signals).toMatchObject([{kind: 'summary', value: 'plain'}]);
	});
});
