import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {Body, Event} from '../../../src/events/event.ts';
import {fold} from '../../../src/state/apply/apply.ts';
import {agentOf} from '../../../src/state/select.ts';
import {createLoop} from '../../../src/supervisor/loop.ts';
import {working} from '../../helpers/given.ts';
import {someDeadline} from '../../helpers/key-text.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

beforeEach(() => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance']});
});

afterEach(() => {
	vi.useRealTimers();
});

/** Lets everything that is ready to run do so. */
const settled = () => new Promise(resolve => setImmediate(resolve));

/** A loop over an agent that has an hour to work in, on a clock that somebody sets. */
const begun = async () => {
	const past = working(['AGT-001']).events();
	vi.setSystemTime(past.at(-1)?.at ?? 0);
	const written: Event[] = [...past];
	const open = (recordedMs = 0) =>
		createLoop({
			state: fold(written),
			recordedMs,
			append: async bodies => {
				const events = bodies.map((body, index) => ({...body, seq: written.length + index + 1}));
				written.push(...events);
				return events;
			},
			perform: () => new Promise<readonly Body[]>(() => {}),
			now: () => new Date().toISOString(),
			onBroken: failure => expect.unreachable(failure.message),
		});
	const loop = open();
	void loop.append([]);
	await settled();
	const pass = async (ms: number) => {
		await vi.advanceTimersByTimeAsync(ms);
		await settled();
	};

	const isOver = () =>
		written.some(event => event.kind === 'deadline.passed' && event.deadline.of === 'limit');
	return {
		loop,
		open,
		written,
		pass,
		isOver,
		workedMs: () => agentOf(loop.state(), 'AGT-001')?.workedMs,
	};
};

const setBy = (ms: number) => vi.setSystemTime(Date.now() + ms);

const end: Body = {kind: 'turn.ended', agent: 'AGT-001', turn: 1, end: {by: 'exit', code: 0}};

test.each([
	['back by a day', -dayMs],
	['forward by a night, as for a machine that slept', 8 * hourMs],
	['to the beginning of its time', -56 * 365 * dayMs],
])('a wait is as long as it was when the clock is set %s', async (_, byMs) => {
	const {pass, isOver, loop, written} = await begun();
	await pass(30 * minuteMs);
	setBy(byMs);
	await pass(10 * minuteMs);
	// Whatever happens now, the clock is looked at again.
	await loop.append([{kind: 'deadline.passed', deadline: someDeadline(1)}]);
	await pass(19 * minuteMs);
	expect(isOver()).toBe(false);
	await pass(minuteMs);
	expect(isOver()).toBe(true);
	expect(written.flatMap(({aheadMs}) => aheadMs ?? [])).toEqual([byMs]);
});

test('a wait is as long as it was when the clock is set and nothing else happens', async () => {
	const {pass, isOver} = await begun();
	setBy(-dayMs);
	await pass(hourMs - minuteMs);
	expect(isOver()).toBe(false);
	await pass(minuteMs);
	expect(isOver()).toBe(true);
});

test('what an agent has worked does not count the time that the clock jumped over', async () => {
	for (const byMs of [dayMs, -dayMs]) {
		const {pass, loop, workedMs} = await begun();
		await pass(10 * minuteMs);
		setBy(byMs);
		await pass(10 * minuteMs);
		await loop.append([end]);
		expect(workedMs()).toBe(20 * minuteMs);
		loop.close();
	}
});

test.each([
	['was set back meanwhile', -dayMs],
	['tells that it was a night later', 8 * hourMs],
])('a restart goes on with what was left of a wait, even if the clock %s', async (_, byMs) => {
	const {loop, open, pass, isOver} = await begun();
	await pass(10 * minuteMs);
	await loop.append([{kind: 'deadline.passed', deadline: someDeadline(1)}]);
	loop.close();
	setBy(byMs);
	const next = open();
	void next.append([]);
	await settled();
	await pass(50 * minuteMs - 1);
	expect(isOver()).toBe(false);
	await pass(1);
	expect(next.state().items).toMatchObject([{kind: 'limit', of: 'work'}]);
	expect(isOver()).toBe(true);
	await next.append([end]);
	expect(agentOf(next.state(), 'AGT-001')?.workedMs).toBe(hourMs);
});

test('a restart counts what passed since the last event, as far as it was recorded', async () => {
	const {loop, open, pass, isOver} = await begun();
	await pass(59 * minuteMs);
	const recordedMs = loop.awakeMs();
	loop.close();
	setBy(dayMs);
	void open(recordedMs).append([]);
	await pass(minuteMs - 1);
	expect(isOver()).toBe(false);
	await pass(1);
	expect(isOver()).toBe(true);
});

test('a night that the machine slept through is told once, even if nothing else happens', async () => {
	const {loop, written} = await begun();
	const count = written.length;
	const {awake} = loop.state();
	setBy(8 * hourMs);
	for (let looks = 0; looks < 2; looks++) {
		loop.lookAtClock();
		await settled();
	}

	const byMs = 8 * hourMs;
	expect(written.slice(count)).toMatchObject([{kind: 'machine.clock', byMs, aheadMs: byMs}]);
	expect(fold(written)).toMatchObject({aheadMs: byMs, awake});
});

test('a session that is over hears nothing of the clock', async () => {
	const {loop, written} = await begun();
	await loop.append([{kind: 'session.ended', status: 'COMPLETE', why: 'done'}]);
	const count = written.length;
	setBy(dayMs);
	loop.lookAtClock();
	await settled();
	expect(written).toHaveLength(count);
});

test('a clock that is set right by a second is no jump, and waits end all the same', async () => {
	for (const byMs of [1000, -1000]) {
		const {pass, isOver, written, loop} = await begun();
		setBy(byMs);
		await pass(hourMs);
		expect(isOver()).toBe(true);
		expect(written.some(({aheadMs}) => aheadMs !== undefined)).toBe(false);
		loop.close();
	}
});
