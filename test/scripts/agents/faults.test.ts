import {expect, test} from 'vitest';
import {disturbedBy, type Fault, faults} from '../../../fixtures/models/faults.ts';
import {startModelServer} from '../../../fixtures/models/server.ts';
import {faultTable, isTold} from '../../../scripts/agents/faults/fault-table.ts';
import {sightsIn} from '../../../scripts/agents/faults/try-fault.ts';
import type {TurnEnd} from '../../../src/events/event.ts';
import {working} from '../../helpers/given.ts';

const faultOf = (start: string): Fault => {
	const fault = faults.find(({title}) => title.startsWith(start));
	if (fault === undefined) {
		throw new Error(`There is no fault ${start}.`);
	}

	return fault;
};

const requests = {
	'/v1/messages': {model: 'm', messages: [{role: 'user', content: 'Hello.'}]},
	'/v1/responses': {model: 'm', input: 'Hello.'},
	'/v1/chat/completions': {model: 'm', messages: [{role: 'user', content: 'Hello.'}]},
	'/v1beta/models/m:streamGenerateContent': {
		contents: [{role: 'user', parts: [{text: 'Hello.'}]}],
	},
};

const asked = async (url: string, path: keyof typeof requests, more: object = {}) => {
	const body = JSON.stringify({...requests[path], stream: true, ...more});
	const response = await fetch(`${url}${path}`, {method: 'POST', body});
	return {status: response.status, headers: response.headers, text: await response.text()};
};

test('a fault that lasts for two requests counts those that are no asides', async () => {
	const disturb = disturbedBy(faultOf('429 twice'));
	await using server = await startModelServer(() => ({say: 'Fine.'}), undefined, disturb);
	const tools = {tools: [{name: 'Write'}]};
	const first = await asked(server.url, '/v1/messages', tools);
	expect([first.status, first.headers.get('retry-after')]).toEqual([429, '4']);
	expect((await asked(server.url, '/v1/messages')).status).toBe(429);
	expect((await asked(server.url, '/v1/messages', tools)).status).toBe(429);
	expect((await asked(server.url, '/v1/messages', tools)).text).toContain('Fine.');
});

test.each(Object.keys(requests) as (keyof typeof requests)[])(
	'at %s a model stops where it may say no more, and says so in the words of its service',
	async path => {
		for (const start of ['no more tokens', 'refusals']) {
			const disturb = disturbedBy(faultOf(start));
			await using server = await startModelServer(() => ({say: 'Fine.'}), undefined, disturb);
			const {text} = await asked(server.url, path);
			expect(text).toMatch(
				start === 'refusals' ? /refusal|content_filter|SAFETY/ : /max_tokens|max_output|length|MAX/,
			);
			expect(text).not.toMatch(/end_turn|"STOP"|"finish_reason":"stop"|response\.completed/);
		}
	},
);

test.each(Object.keys(requests) as (keyof typeof requests)[])(
	'at %s a limit is told of with its reset, and is over then',
	async path => {
		const fault = {...faultOf('limit, reset in'), lasts: {ms: 400}};
		await using server = await startModelServer(
			() => ({say: 'Fine.'}),
			undefined,
			disturbedBy(fault),
		);
		const {status, headers, text} = await asked(server.url, path);
		expect([status, headers.get('retry-after')]).toEqual([429, '1']);
		const told = `${text} ${headers.get('anthropic-ratelimit-unified-reset') ?? ''}`;
		expect(told).toMatch(
			path === '/v1/chat/completions'
				? /rate limit/
				: /"retryDelay":"1s"|"resets_in_seconds":1|\d{10}/,
		);
		await expect.poll(async () => (await asked(server.url, path)).text).toContain('Fine.');
	},
);

const seen = (fault: Fault, ...ends: readonly TurnEnd[]) => {
	const session = working(['AGT-001']);
	for (const end of ends) {
		session.ends('AGT-001', end);
	}

	return {
		vendor: 'claude' as const,
		fault,
		sights: sightsIn(session.events(), {vendor: 'claude', fault}),
	};
};

const failing = (kind: 'overloaded' | 'login'): TurnEnd => ({
	by: 'error',
	cause: `it is ${kind}: x; y`,
	trouble: {kind, said: 'x'},
});

test('what a person sees is told with the seconds after which they do', () => {
	const told = seen(faultOf('529'), failing('overloaded'));
	expect(told.sights).toMatchObject([{kind: 'waits', isTrue: true}]);
	expect(isTold([told])).toBe(true);
	expect(faultTable([told])).toMatch(
		/\| 529 for good\s*\| \d+ s waits for its model \(try 1 of 4: it is overloaded\) \|/,
	);
});

test('what a person sees again and again is told once, with how often', () => {
	const fault = faultOf('529');
	const told = seen(fault);
	const waits = {kind: 'waits', text: 'tries its model again', isTrue: true} as const;
	const sights = [
		{...waits, after: 1},
		{...waits, after: 3},
		{...waits, after: 4, kind: 'goes on', text: 'done'} as const,
	];
	expect(faultTable([{...told, sights}])).toContain(
		'1 s tries its model again (2 times); 4 s done',
	);
});

test('what was not tried again stays as an earlier table has it', () => {
	const told = seen(faultOf('529'), failing('overloaded'));
	const earlier = faultTable([{...told, vendor: 'codex'}, seen(faultOf('402'))]);
	const table = faultTable([{...told, sights: []}], faults, earlier);
	expect(table).toContain('| 402, no credit | FALSE: nothing |  |');
	expect(table).toMatch(/\| 529 for good \| FALSE: nothing \| \d+ s waits/);
});

test('a headline that is not so is told as false, and so is nothing', () => {
	const wrong = seen(faultOf('529'), failing('login'));
	expect(faultTable([wrong])).toMatch(/FALSE: \d+ s failed, it is login \|/);
	expect(isTold([wrong])).toBe(false);
	const nothing = seen(faultOf('no byte'));
	expect(faultTable([nothing])).toContain('FALSE: nothing');
	expect(isTold([nothing])).toBe(false);
	const words = seen(faultOf('402'), {by: 'exit', code: 0}, {by: 'exit', code: 1});
	expect(isTold([words])).toBe(false);
});
