import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {appendFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {afterEach, expect, it, onTestFinished, vi} from 'vitest';
import type {Body} from '../../../src/events/event.ts';
import {usageOf} from '../../../src/lib/process/process-table.ts';
import {
	keepHealthRecord,
	keepLoadRecord,
	lastRecordedMs,
} from '../../../src/supervisor/machine/health.ts';
import type {TelemetryEntry} from '../../../src/supervisor/telemetry.ts';
import {working} from '../../helpers/given.ts';
import {settingsOf} from '../../helpers/plan.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

afterEach(() => {
	vi.useRealTimers();
});

it('is written every half minute, until the session is over', () => {
	vi.useFakeTimers();
	const written: TelemetryEntry[] = [];
	const session = working(['AGT-001', 'AGT-002']);
	const stop = keepHealthRecord(
		{write: entry => written.push(entry)},
		{
			state: session.state,
			awakeMs: () => 5,
			lookAtClock: () => {},
		},
	);
	vi.advanceTimersByTime(29_999);
	expect(written).toEqual([]);
	vi.advanceTimersByTime(30_001);
	expect(written).toHaveLength(2);
	expect(written[0]).toMatchObject({kind: 'health', running: 2, queued: 0, registrySize: 2});
	stop();
	vi.advanceTimersByTime(300_000);
	expect(written).toHaveLength(2);
});

it('tells every ten seconds what agents at work use, as what no agent told', () => {
	vi.useFakeTimers();
	const written: TelemetryEntry[] = [];
	const before = working(['AGT-001', 'AGT-002']).state();
	const [one, ...others] = before.agents.map(agent =>
		agent.turn.phase === 'live' ? {...agent, turn: {...agent.turn, pid: process.pid}} : agent,
	);
	let agents = [
		one,
		...others.map(agent => ({...agent, turn: {phase: 'none', number: 1} as const})),
	];
	const stop = keepLoadRecord(
		{write: entry => written.push(entry)},
		{state: () => ({...before, agents: agents.filter(agent => agent !== undefined)})},
	);
	vi.advanceTimersByTime(10_000);
	expect(written).toEqual([]);
	vi.advanceTimersByTime(10_000);
	expect(written).toEqual([
		{
			...{kind: 'load', cpu: expect.any(Number), memory: expect.any(Number)},
			...{processes: expect.any(Number), turn: 1, agent: 'AGT-001'},
		},
	]);
	expect(JSON.stringify(written[0])).toMatch(/"agent":"AGT-001"\}$/);
	agents = [];
	vi.advanceTimersByTime(60_000);
	stop();
	expect(written).toHaveLength(1);
});

it('tells of an agent that only waits once, so that nothing is drawn for it', async () => {
	vi.useFakeTimers();
	const waiting = spawn('cat');
	onTestFinished(() => void waiting.kill());
	// One that has answered is loaded, and needs no more memory than it has.
	waiting.stdin.write('there\n');
	await once(waiting.stdout, 'data');
	const written: TelemetryEntry[] = [];
	const before = working(['AGT-001']).state();
	const agents = before.agents.map(agent =>
		agent.turn.phase === 'live' ? {...agent, turn: {...agent.turn, pid: waiting.pid ?? 0}} : agent,
	);
	const stop = keepLoadRecord(
		{write: entry => written.push(entry)},
		{state: () => ({...before, agents})},
	);
	vi.advanceTimersByTime(300_000);
	stop();
	expect(written).toMatchObject([{kind: 'load', processes: 1}]);
});

it('tells the next supervisor the session’s own time, whatever an agent told and where a crash tore it', async () => {
	const path = join(temporaryFolder(), 'telemetry.ndjson');
	expect(await lastRecordedMs(path)).toBe(0);
	const lines = [
		{kind: 'health', awakeMs: 1000},
		{kind: 'health', awakeMs: 31_000},
		{kind: 'call', agent: 'AGT-001', raw: {kind: 'health', awakeMs: 99_000}},
	];
	await appendFile(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
	await appendFile(path, '{"kind":"health","awakeMs":61');
	expect(await lastRecordedMs(path)).toBe(31_000);
});

it('tells once of an agent that comes near what it may use', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'setInterval', 'performance', 'Date']});
	const waiting = spawn('sh', ['-c', 'sleep 600; true'], {detached: true});
	onTestFinished(() => void process.kill(-(waiting.pid ?? 0), 'SIGKILL'));
	await once(waiting, 'spawn');
	const told: Body[] = [];
	const load = {memory: 2 ** 40, processes: 2.4};
	const session = working(['AGT-001'], {settings: settingsOf({load})});
	const pid = waiting.pid ?? 0;
	const state = () => ({
		...session.state(),
		agents: session
			.state()
			.agents.map(agent =>
				agent.turn.phase === 'live' ? {...agent, turn: {...agent.turn, pid}} : agent,
			),
	});
	while (usageOf([pid]).get(pid)?.processes !== 2) {
		await nextTurn();
	}

	const report = (body: Body): void => {
		told.push(body);
		session.tell(body);
	};
	const stop = keepLoadRecord({write: () => {}}, {state, report});
	vi.advanceTimersByTime(30_000);
	expect(told).toMatchObject([{kind: 'load.counted', agent: 'AGT-001', processes: 2}]);
	stop();
});
