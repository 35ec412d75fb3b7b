import {expect, test} from 'vitest';
import type {LoadKind} from '../../src/events/load.ts';
import {usageOf} from '../../src/lib/process/process-table.ts';
import {agent, overAcp} from '../helpers/plan-file.ts';
import {configure, makeProject} from '../helpers/project.ts';
import {startSession} from '../helpers/session.ts';

const agentThat = (script: string, more: object = {}) => ({
	subtask: 'Use very much of the machine',
	scope: {allowed: ['src/**']},
	agent: {protocol: 'text', command: ['/bin/sh', '-c', script]} as const,
	...more,
});

test('an agent with more processes than it may have is paused without them, and goes on when a person says so', async () => {
	const project = makeProject();
	configure(project, {docs: false, limits: {processes: 12}});
	const script = 'for i in $(seq 20); do sleep 300 & done; echo working; wait';
	await using session = await startSession({agents: [agentThat(script)]}, project);
	const {pid} = await session.event('turn.started');
	const limit = await session.item('limit', 'AGT-001');
	expect(limit).toMatchObject({of: 'processes', allowed: 12});
	expect(limit).toHaveProperty('used', session.events('load.counted').at(0)?.processes);
	await session.agent('AGT-001', 'CHECKPOINT');
	expect(usageOf([pid]).size).toBe(0);
	expect(session.events('turn.ended')).toMatchObject([{end: {by: 'stopped'}}]);

	await session.answer(limit, 'extend');
	await session.event('turn.started', ({turn}) => turn === 2);
});

test.each<[LoadKind, object, string]>([
	['output', {output: 1}, 'head -c 3000000 /dev/zero | tr "\\0" x; sleep 300'],
	[
		'disk',
		{disk: 64},
		'mkdir src; for i in 1 2; do head -c 40000000 /dev/zero > src/$i; done; sleep 300',
	],
])(
	'an agent with more %s than its part of the plan allows is paused',
	async (of, limits, script) => {
		await using session = await startSession(
			{agents: [agentThat(script, {limits})]},
			makeProject(),
		);
		const limit = await session.item('limit', 'AGT-001');
		expect(limit).toMatchObject({of, title: expect.stringContaining('than its limit')});
		await session.agent('AGT-001', 'CHECKPOINT');
		await session.answer(limit, 'abort');
	},
);

const tokens = (total: number) => ({
	sessionUpdate: 'agent_message_chunk',
	content: {type: 'text', text: 'Goes on. '},
	_meta: {usage: {totalTokens: total}},
});
const paid = (amount: number) => ({
	...{sessionUpdate: 'usage_update', used: 1, size: 2},
	cost: {amount, currency: 'USD'},
});

test.each([
	['tokens-near', {budget: 1000}, [tokens(400), tokens(450)], {used: 850, allowed: 1000}],
	['money-near', {budget: '$5'}, [paid(3), paid(4.25)], {used: 4.25, allowed: 5}],
])(
	'most of a budget is asked about while the turn goes on: %s',
	async (of, budget, updates, limit) => {
		await using session = await startSession({
			agents: [{...overAcp('counts.ts', JSON.stringify(updates)), ...budget}],
		});
		expect(await session.item('limit', 'AGT-001')).toMatchObject({of, ...limit});
		expect(session.state().agents).toMatchObject([
			{state: 'RUNNING', turn: {number: 1, phase: 'live'}},
		]);
		expect(session.events('turn.ended')).toEqual([]);
	},
);

test('what runs on the work of agents may write no more than an agent, either', async () => {
	const project = makeProject();
	configure(project, {docs: false, limits: {disk: 64}});
	const writes = 'head -c 70000000 /dev/zero > "$TMPDIR/big"';
	await using session = await startSession(
		{
			agents: [agent('edits.sh', ['src/a.txt', 'a'])],
			...{setup: [`! ${writes}`], verify: [`! ${writes}`]},
		},
		project,
	);
	await session.accept('AGT-001');
	expect((await session.item('approval')).title).toContain('checked)');
	await session.approve();
});
