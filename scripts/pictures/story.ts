import {stringify} from 'yaml';
import {program, type Story} from './playground.ts';

/** A small service before the session: one file that two agents have to change, and a check that can fail. */
export const files: Readonly<Record<string, string>> = {
	'.delegate-tui.yaml': 'docs: false\n',
	'README.md': '# Orders\n\nThe public API of a shop.\n',
	'package.json': '{"name": "orders", "private": true, "type": "module"}\n',
	'src/server.js': `import {list} from './orders.js';

export const handle = request => {
	if (request.path !== '/orders') {
		return {status: 404};
	}

	return {status: 200, body: list(request.customer)};
};
`,
	'src/orders.js': `const orders = [{customer: 'ada', total: 630}];

export const list = customer => orders.filter(order => order.customer === customer);
`,
	'test/server.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import {handle} from '../src/server.js';

test('a customer sees the orders of their own', () => {
	assert.equal(handle({path: '/orders', customer: 'ada'}).body.length, 1);
});
`,
};

const limit = `const size = 20;
const perSecond = 5;
const buckets = new Map();

/** Takes one token, and returns how many are left. */
export const take = (client, now = Date.now()) => {
	const {tokens, at} = buckets.get(client) ?? {tokens: size, at: now};
	const filled = Math.min(size, tokens + ((now - at) / 1000) * perSecond);
	buckets.set(client, {tokens: Math.max(0, filled - 1), at: now});
	return Math.floor(filled) - 1;
};
`;

const limitTest = `import assert from 'node:assert/strict';
import test from 'node:test';
import {take} from '../src/limit.js';

test('the twenty-first request of a burst is refused', () => {
	const answers = Array.from({length: 21}, () => take('ada', 0));
	assert.deepEqual(answers.slice(19), [0, -1]);
});
`;

const stats = `const counts = new Map();

/** Counts an answer by its status, and hands it on. */
export const counted = answer => {
	counts.set(answer.status, countOf(answer.status) + 1);
	return answer;
};

export const countOf = status => counts.get(status) ?? 0;
`;

const statsTest = `import assert from 'node:assert/strict';
import test from 'node:test';
import {handle} from '../src/server.js';
import {countOf} from '../src/stats.js';

test('every answer is counted', () => {
	handle({path: '/orders', customer: 'ada'});
	assert.equal(countOf(200), 1);
});
`;

const guide = `# Limits

Every API key may send 5 requests a second, and 20 at once.
Above that the answer is \`429 Too Many Requests\`: try again in a second.
`;

const limited = `import {take} from './limit.js';
import {list} from './orders.js';

export const handle = request => {
	const left = take(request.key);
	if (left < 0) {
		return {status: 429};
	}

	if (request.path !== '/orders') {
		return {status: 404};
	}

	return {status: 200, left, body: list(request.customer)};
};
`;

const measured = `import {list} from './orders.js';
import {counted} from './stats.js';

export const handle = request => {
	if (request.path !== '/orders') {
		return counted({status: 404});
	}

	return counted({status: 200, body: list(request.customer)});
};
`;

const both = `import {take} from './limit.js';
import {list} from './orders.js';
import {counted} from './stats.js';

export const handle = request => {
	const left = take(request.key);
	if (left < 0) {
		return counted({status: 429});
	}

	if (request.path !== '/orders') {
		return counted({status: 404});
	}

	return counted({status: 200, left, body: list(request.customer)});
};
`;

/** Scenes of the agents, by name. The steps after `complete` are played when its work has collided. */
const scenes = {
	limit: [
		{say: 'I read src/server.js: every request goes through handle().'},
		{wait: 2},
		{say: 'The bucket comes first, it needs nothing from the server.'},
		{write: {path: 'src/limit.js', text: limit}},
		{say: 'Who shares a bucket is not for me to guess.'},
		{
			ask: {
				question: 'Which requests share one bucket?',
				options: ['per API key', 'per address'],
			},
		},
		{say: 'Buckets are {{answer}}.'},
		{write: {path: 'src/server.js', text: limited}},
		{write: {path: 'test/limit.test.js', text: limitTest}},
		{
			complete: {
				deliverables: ['src/limit.js', 'src/server.js', 'test/limit.test.js'],
				metrics: 'a burst of 20, then 5 a second',
			},
		},
	],
	stats: [
		{say: 'PROGRESS: Count - 1/3 counters'},
		{write: {path: 'src/stats.js', text: stats}},
		{say: 'A map of counters will do; no library is needed for that.'},
		{wait: 3},
		{say: 'PROGRESS: Count - 2/3 server'},
		{write: {path: 'src/server.js', text: measured}},
		{say: 'Every return of handle() goes through counted() now.'},
		{write: {path: 'test/stats.test.js', text: statsTest}},
		{wait: 3},
		{say: 'PROGRESS: Count - 3/3 tests'},
		{run: 'node --test'},
		{
			complete: {
				deliverables: ['src/server.js', 'src/stats.js', 'test/stats.test.js'],
				metrics: '2 of 2 tests pass',
				recommendations: ['Show the counters at /stats'],
			},
		},
		{say: 'The limit decides first; then whatever it answers is counted.'},
		{write: {path: 'src/server.js', text: both}},
		{complete: {deliverables: ['src/server.js', 'src/stats.js', 'test/stats.test.js']}},
	],
	guide: [
		{say: 'I write for a customer who has just met a 429 for the first time.'},
		{wait: 2},
		{say: 'They want to know three things: how much, why not now, and when again.'},
		{wait: 3},
		{write: {path: 'docs/limits.md', text: guide}},
		{
			checkpoint: {
				progress: 70,
				changes: [
					{file: 'docs/limits.md', action: 'created', description: 'the limits in one page'},
				],
				request: 'CONTINUE',
			},
		},
		{complete: {deliverables: ['docs/limits.md']}},
	],
} as const;

type SceneName = keyof typeof scenes;

const sceneFiles = (): Readonly<Record<string, string>> =>
	Object.fromEntries(
		Object.entries(scenes).map(([name, steps]) => [`${name}.yaml`, stringify({steps})]),
	);

/** @param command Returns the command of the program that plays a scene. */
const planFile = (command: (scene: SceneName) => readonly string[]): string =>
	stringify({
		version: 1,
		task: 'Rate-limit the public API',
		verify: ['node --test'],
		agents: [
			{
				subtask: 'Token bucket in front of every request',
				goal: 'Requests over the limit get a 429; a test shows it',
				scope: {allowed: ['src/limit.js', 'src/server.js', 'test/limit.test.js']},
				agent: {protocol: 'acp', command: command('limit')},
			},
			{
				subtask: 'Count the answers by status',
				goal: 'Every answer is counted; a test shows it',
				scope: {allowed: ['src/server.js', 'src/stats.js', 'test/stats.test.js']},
				agent: {protocol: 'acp', command: command('stats')},
			},
			{
				subtask: 'Tell customers about the limits',
				goal: 'One page that a customer understands',
				scope: {allowed: ['docs/**']},
				agent: {protocol: 'acp', command: command('guide')},
			},
		],
	});

/** Story of the screen's pictures, and of its speed measurements. */
export const story: Story = {
	files,
	scenes: sceneFiles(),
	plan: pathOf =>
		planFile(name => [process.execPath, program, 'scripted-agent', pathOf(`${name}.yaml`)]),
};
