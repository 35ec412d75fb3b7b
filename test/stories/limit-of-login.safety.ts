import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {agent, type PlannedAgent} from '../helpers/plan-file.ts';
import {temporaryFolder} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const program = join(import.meta.dirname, '../../fixtures/agents/acp/meets-a-limit.ts');

/** Works with the login of Claude, whose limit resets so long after it was met first. */
const claude = (file: string, lengthMs: number): PlannedAgent => ({
	subtask: 'Work until the limit',
	scope: {allowed: ['src/**']},
	agent: {extends: 'claude', command: [process.execPath, program, file, String(lengthMs)]},
});

const config = {
	'.delegate-tui.yaml': 'docs: false\nlimits: {stagger: 0s, parallel: 1}\n',
};

test('all of a login wait until its limit resets and go on by themselves, and others go on meanwhile', async () => {
	const file = join(temporaryFolder(), 'reset');
	await using session = await startSession(
		{agents: [claude(file, 40_000), claude(file, 40_000), agent('edits.sh', ['src/a.txt', 'a'])]},
		config,
	);
	const {why} = await session.agent('AGT-001', 'CHECKPOINT');
	expect(why).toMatch(/^5-hour limit of Claude, until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
	const headline = /5-hour limit of Claude, until \d\d:\d\d, in \d+ s/;
	const {stdout: status} = await session.project.run('status', '--json');
	const {agents, notices} = JSON.parse(status);
	expect(agents[0].why).toMatch(headline);
	expect(agents[1]).toMatchObject({state: 'PENDING', why: expect.stringMatching(headline)});
	expect(notices[0].text).toMatch(/; AGT-001 and AGT-002 go on by then$/);
	const {stdout: inbox} = await session.project.run('inbox');
	expect(inbox).toMatch(headline);
	expect(inbox).toContain('to try at once: delegate-tui agent AGT-001 resume');
	await session.agent('AGT-003', 'COMPLETE');
	expect(session.events('turn.started').map(({agent}) => agent)).toEqual(['AGT-001', 'AGT-003']);

	await session.agent('AGT-001', 'COMPLETE');
	await session.agent('AGT-002', 'COMPLETE');
	const [{at: reset} = {at: ''}] = session.events('deadline.passed');
	const turns = session.events('turn.started').filter(({agent}) => agent !== 'AGT-003');
	expect(turns.map(({agent, prompt}) => `${agent} ${prompt}`)).toEqual([
		'AGT-001 launch',
		'AGT-001 resume',
		'AGT-002 launch',
	]);
	expect(turns.slice(1).every(({at}) => at >= reset)).toBe(true);
	expect(session.events('conversation.opened').map(({agent}) => agent)).toEqual([
		'AGT-001',
		'AGT-002',
	]);
	expect(session.state().items.map(({kind}) => kind)).toEqual(['review', 'review', 'review']);
});

test('a limit that resets while nobody supervises is over for the next supervisor', async () => {
	const file = join(temporaryFolder(), 'reset');
	await using session = await startSession({agents: [claude(file, 12_000)]}, config);
	await session.agent('AGT-001', 'CHECKPOINT');
	const [{until} = {until: ''}] = session.state().loginLimits;
	await session.killSupervisor();
	await wait(Date.parse(until) - Date.now());
	await session.project.run('status');
	await session.agent('AGT-001', 'COMPLETE');
	expect(session.events('conversation.opened')).toHaveLength(1);
	expect(session.events('turn.ended')).toHaveLength(2);
});

test('who joins while the limit of a login lasts, or is switched to that login, spends no turn before it resets', async () => {
	const file = join(temporaryFolder(), 'reset');
	const mine = {extends: 'claude', command: [process.execPath, program, file, '100000']};
	await using session = await startSession(
		{agents: [{...claude(file, 0), agent: 'mine'}, agent('asks-once.sh', ['src/a.txt'])]},
		{'.delegate-tui.yaml': stringify({docs: false, limits: {stagger: '0s'}, agents: {mine}})},
	);
	await session.agent('AGT-001', 'CHECKPOINT');
	await session.item('question', 'AGT-002');
	const {run} = session.project;
	const added = await run('add', 'Join', '--scope', 'src/**', '--agent', 'mine');
	const switched = await run('agent', 'AGT-002', 'restart', '--agent', 'mine');
	expect([added.stderr, switched.stderr]).toEqual(['', '']);
	for (const agent of ['AGT-002', 'AGT-003']) {
		await session.event('limit.shared', shared => shared.agent === agent);
	}

	expect((await run('status')).stdout).toMatch(/5-hour limit of Claude, until \d\d:\d\d, in/);
	const before = session.events('turn.started').length;
	for (const agent of ['AGT-001', 'AGT-002', 'AGT-003']) {
		await session.agent(agent, 'COMPLETE');
	}

	const [{at: reset} = {at: ''}] = session.events('deadline.passed');
	const later = session.events('turn.started').slice(before);
	expect(later.map(({agent}) => agent).sort()).toEqual(['AGT-001', 'AGT-002', 'AGT-003']);
	expect(later.every(({at}) => at >= reset)).toBe(true);
});
