import {describe, expect, it} from 'vitest';
import {diskLevel, leaveAloneMs} from '../../src/rules/disk.ts';
import {planned, starting, working} from '../helpers/given.ts';
import {waitedMs} from '../helpers/waited.ts';

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;
const at = (free: number, before: 'enough' | 'low' | 'full' = 'enough', total = 10 * gibibyte) =>
	diskLevel({free, total}, before);

describe('the space on a disk', () => {
	it('is low below 1 GiB, and full below 256 MiB', () => {
		expect(at(gibibyte)).toBe('enough');
		expect(at(gibibyte - 1)).toBe('low');
		expect(at(256 * mebibyte)).toBe('low');
		expect(at(256 * mebibyte - 1)).toBe('full');
	});

	it('is low below 5 % of a large disk', () => {
		expect(at(5 * gibibyte, 'enough', 100 * gibibyte)).toBe('enough');
		expect(at(5 * gibibyte - 1, 'enough', 100 * gibibyte)).toBe('low');
	});

	it('is looked at again after five seconds while it stays as it is', () => {
		const look = {free: 2 * gibibyte, atMs: 0};
		expect(leaveAloneMs(undefined, undefined)).toBe(5000);
		expect(leaveAloneMs(look, undefined)).toBe(5000);
		expect(leaveAloneMs({...look, atMs: 5000}, look)).toBe(5000);
		expect(leaveAloneMs({free: 3 * gibibyte, atMs: 5000}, look)).toBe(5000);
	});

	it('is looked at sooner when it goes fast, before half of what may go is gone', () => {
		const goingTo = (free: number) =>
			leaveAloneMs({free, atMs: 5000}, {free: free + 400 * mebibyte, atMs: 0});
		expect(goingTo(2256 * mebibyte)).toBe(5000);
		expect(goingTo(416 * mebibyte)).toBe(1000);
		expect(goingTo(256 * mebibyte)).toBe(250);
		expect(goingTo(0)).toBe(250);
	});

	it('must come back by a tenth more before anything changes', () => {
		expect(at(280 * mebibyte, 'full')).toBe('full');
		expect(at(282 * mebibyte, 'full')).toBe('low');
		expect(at(1.09 * gibibyte, 'low')).toBe('low');
		expect(at(1.11 * gibibyte, 'low')).toBe('enough');
		expect(at(5.4 * gibibyte, 'low', 100 * gibibyte)).toBe('low');
	});
});

const disk = (level: 'enough' | 'low' | 'full') => ({
	kind: 'machine.disk' as const,
	level,
	free: 100,
	total: 1000,
	folder: '/state',
});

/** A session in which one agent works and another waits for its place. */
const busy = () => working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});

describe('a full disk', () => {
	it('pauses the agents at work, and they go on by themselves once there is space', () => {
		const session = busy();
		const told = () => session.events().at(-1);
		session.tell(disk('full'));
		expect(told()).toMatchObject({kind: 'turn.changed', agent: 'AGT-001', turn: 1, to: 'paused'});
		expect(session.keys()).toEqual([]);
		session.tell(disk('low'));
		expect(told()).toMatchObject({kind: 'turn.changed', agent: 'AGT-001', turn: 1, to: 'going'});
		expect(session.keys()).toEqual([]);
	});

	it('takes no time from an agent', () => {
		const session = busy();
		const limit = () => session.timer('limit:');
		const before = limit()?.at;
		session.tell(disk('full'));
		const pausedAt = Date.parse(session.state().at);
		expect(limit()).toBeUndefined();
		session.tell(disk('low'));
		const stoodMs = Date.parse(session.state().at) - pausedAt;
		expect(stoodMs).toBeGreaterThan(0);
		expect(waitedMs(before, limit()?.at)).toBe(stoodMs);
	});

	it('takes no time from a start, whose `setup` stands still', () => {
		const session = starting(['AGT-001']);
		const due = () => session.timer('start:')?.at;
		const before = due();
		session.tell(disk('full'));
		const frozenAt = Date.parse(session.state().at);
		expect(due()).toBeUndefined();
		session.wait(90_000);
		session.tell(disk('low'));
		const stoodMs = Date.parse(session.state().at) - frozenAt;
		expect(stoodMs).toBeGreaterThan(60_000);
		expect(waitedMs(before, due())).toBe(stoodMs);
		session.tell(disk('enough'));
		expect(waitedMs(before, due())).toBe(stoodMs);
	});

	it('takes no more time than there was from a start that began on it', () => {
		const session = planned(['AGT-001']);
		session.tell(disk('full'));
		session.wait(90_000);
		session.decide('p-1', 'approve');
		const {since} = session.agent('AGT-001');
		session.tell(disk('low'));
		const [timer] = session.owed().timers;
		const thawedAt = session.state().awake;
		expect(waitedMs(thawedAt, timer?.at)).toBe(60_000);
		expect(waitedMs(since, thawedAt)).toBeGreaterThan(0);
	});

	it('counts only what was worked when a paused turn ends', () => {
		const session = busy();
		const {turn} = session.agent('AGT-001');
		session.tell(disk('full'));
		const pausedAt = session.state().at;
		session.tell(disk('low'), disk('full'));
		session.ends('AGT-001');
		const worked = Date.parse(pausedAt) - Date.parse(turn.phase === 'live' ? turn.startedAt : '');
		expect(session.agent('AGT-001').workedMs).toBe(worked);
	});

	it('lets nothing begin that writes, but an end is still pinned', () => {
		const session = busy();
		session.tell(disk('full'));
		session.tell({kind: 'turn.ended', agent: 'AGT-001', turn: 1, end: {by: 'exit', code: 1}});
		expect(session.keys()).toEqual(['snapshot:AGT-001:exit:1']);
		session.work();
		expect(session.stateOf('AGT-002')).toBe('SPAWNING');
		expect(session.keys()).toEqual([]);
		session.tell(disk('enough'));
		expect(session.keys()).toEqual(['prepare:AGT-002']);
	});
});
