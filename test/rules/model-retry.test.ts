import {describe, expect, it} from 'vitest';
import {clockAt} from '../../src/events/deadline.ts';
import type {TurnEnd} from '../../src/events/event.ts';
import type {ModelTrouble} from '../../src/events/model-trouble.ts';
import {noticesOf} from '../../src/rules/notices.ts';
import {fold} from '../../src/state/apply/apply.ts';
import {ask, type Given, parked, report, saying, working} from '../helpers/given.ts';
import {supervisorStarted} from '../helpers/happened.ts';
import {subtask} from '../helpers/plan.ts';
import {waitedMs} from '../helpers/waited.ts';

const failing = (trouble: ModelTrouble): TurnEnd => ({by: 'error', cause: trouble.said, trouble});
const overloaded = failing({kind: 'overloaded', said: 'it is busy'});

const pauseOf = (session: Given): number =>
	waitedMs(session.agent('AGT-001').troubled?.at, session.timer('model:')?.at);

/** Lets the pause pass, and starts what is due. */
const tryAgain = (session: Given): void => {
	session.pass('model:');
	session.work();
};

describe('an agent whose model has trouble that passes', () => {
	it('waits and says for what, and goes on by itself', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', overloaded);
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		expect(session.kinds()).toEqual([]);
		expect(session.keys()).toEqual([]);
		const at = clockAt(session.timer('model:')?.at ?? session.state().awake, session.state());
		const why = `waits for its model until ${at.slice(11, 19)} UTC (try 1 of 4: it is overloaded)`;
		expect(session.agent('AGT-001').why).toBe(why);
		expect(
			noticesOf(session.state(), {now: session.state().at, zone: 'UTC'}).map(({text}) => text),
		).toContain(`AGT-001 ${why}; to try at once: delegate-tui agent AGT-001 resume`);
		session.pass('model:');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(noticesOf(session.state(), {now: session.state().at, zone: 'UTC'})).toEqual([]);
	});

	it.each(['rate', 'overloaded', 'service', 'network'] as const)('of kind %s waits', kind => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', failing({kind, said: 'x'}));
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
	});

	it('waits longer each time, and has failed after the last try', () => {
		const session = working(['AGT-001']);
		const pauses: number[] = [];
		for (let turn = 0; turn < 4; turn++) {
			session.ends('AGT-001', overloaded);
			pauses.push(pauseOf(session));
			tryAgain(session);
		}

		expect(pauses).toEqual([15_000, 60_000, 300_000, 900_000]);
		session.ends('AGT-001', overloaded);
		expect(session.stateOf('AGT-001')).toBe('FAILED');
		expect(session.agent('AGT-001').why).toBe('it is busy; it was tried 4 times more');
	});

	it('is counted again after a turn that ended well, and after a person had it tried again', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', overloaded);
		tryAgain(session);
		session.ends('AGT-001', overloaded);
		tryAgain(session);
		session.says('AGT-001', ask);
		session.ends('AGT-001');
		session.decide('q-1', '8080');
		session.work();
		session.ends('AGT-001', overloaded);
		expect(pauseOf(session)).toBe(15_000);

		tryAgain(session);
		session.ends('AGT-001', {by: 'exit', code: 1});
		session.decide('f-1', 'retry');
		session.work();
		session.ends('AGT-001', overloaded);
		expect(pauseOf(session)).toBe(15_000);
	});

	it('is waited for as long as its service asks, though not shorter than the pause', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', failing({kind: 'overloaded', said: 'slow', retryAfterMs: 120_000}));
		expect(pauseOf(session)).toBe(120_000);
		tryAgain(session);
		session.ends('AGT-001', failing({kind: 'overloaded', said: 'slow', retryAfterMs: 1000}));
		expect(pauseOf(session)).toBe(60_000);
	});

	it('is waited for longer than it may work, but no more than eight days', () => {
		const session = working([subtask('AGT-001', {timeoutMs: 3_600_000})]);
		session.ends('AGT-001', failing({kind: 'service', said: 'down', retryAfterMs: 7_200_000}));
		expect(pauseOf(session)).toBe(7_200_000);
		tryAgain(session);
		session.ends('AGT-001', failing({kind: 'service', said: 'down', retryAfterMs: 9 * 86_400_000}));
		expect(session.stateOf('AGT-001')).toBe('FAILED');
		expect(session.agent('AGT-001').why).toBe(
			'down; that is not waited for, since it is more than 8 days off',
		);
	});

	it.each([Number.MAX_VALUE, -1])('outlives a time that makes no sense: %d ms', retryAfterMs => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', failing({kind: 'rate', said: 'x', retryAfterMs}));
		expect(['CHECKPOINT', 'FAILED']).toContain(session.stateOf('AGT-001'));
	});

	it('holds no place meanwhile', () => {
		const session = working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
		expect(session.stateOf('AGT-002')).toBe('PENDING');
		session.ends('AGT-001', overloaded);
		session.work();
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
		session.pass('model:');
		expect(session.keys()).toEqual([]);
		session.finishes('AGT-002');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
	});

	it('is told again what its failed turn was told', () => {
		const session = parked();
		session.decide('q-1', '8080');
		session.work();
		expect(session.agent('AGT-001').replies).toEqual([]);
		session.ends('AGT-001', overloaded);
		expect(session.agent('AGT-001').replies).toMatchObject([{item: 'q-1', text: '8080'}]);
	});

	it('waits for its answers as well when it had asked before', () => {
		const session = saying(ask);
		session.ends('AGT-001', overloaded);
		session.pass('model:');
		expect(session.keys()).toEqual([]);
		session.decide('q-1', '8080');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
	});

	it('has not failed once it has reported', () => {
		const session = saying(report('success'));
		session.ends('AGT-001', overloaded);
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
	});

	it('is out of the session as soon as that is stopped', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', overloaded);
		session.ask({kind: 'stop'});
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
		expect(session.timer('model:')).toBeUndefined();
	});

	it('waits on when the supervisor is another one by then', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', overloaded);
		const before = session.timer('model:');
		session.tell(supervisorStarted({pid: 2}));
		expect(session.timer('model:')).toEqual(before);
		expect(fold(session.events())).toEqual(session.state());
		session.pass('model:');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
	});

	it('is tried at once when a person wants that, and waits as long as ever the next time', () => {
		const session = working(['AGT-001']);
		const resume = {kind: 'steer', agent: 'AGT-001', order: {verb: 'resume'}} as const;
		expect(session.ask(resume)).toBe('AGT-001 is not paused.');
		session.ends('AGT-001', overloaded);
		expect(session.ask(resume)).toBeUndefined();
		expect(session.agent('AGT-001').replies).toEqual([]);
		expect(session.keys()).toEqual(['start:AGT-001:2']);
		session.work();
		session.ends('AGT-001', overloaded);
		expect(pauseOf(session)).toBe(60_000);
	});

	it('starts over at once when a person wants that, and is counted again', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', overloaded);
		const order = {verb: 'restart', from: null} as const;
		expect(session.ask({kind: 'steer', agent: 'AGT-001', order})).toBeUndefined();
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		session.ends('AGT-001', overloaded);
		expect(pauseOf(session)).toBe(15_000);
	});

	it('waits as the session was told, or not at all', () => {
		const session = working(['AGT-001'], {settings: {modelRetriesMs: [1000]}});
		session.ends('AGT-001', overloaded);
		expect(pauseOf(session)).toBe(1000);
		const other = working(['AGT-001'], {settings: {modelRetriesMs: []}});
		other.ends('AGT-001', overloaded);
		expect(other.agent('AGT-001')).toMatchObject({state: 'FAILED', why: 'it is busy'});
	});
});

describe('an agent whose model has trouble that somebody must end', () => {
	it.each([
		'login',
		'access',
		'credit',
		'context',
		'model',
		'request',
		'refused',
		'limit',
		'unknown',
	] as const)('of kind %s has failed at once', kind => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', failing({kind, said: 'no'}));
		expect(session.agent('AGT-001')).toMatchObject({state: 'FAILED', why: 'no'});
		expect(session.kinds()).toEqual(['failure']);
	});
});
