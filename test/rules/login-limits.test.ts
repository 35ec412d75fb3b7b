import {describe, expect, it} from 'vitest';
import {clockAt} from '../../src/events/deadline.ts';
import type {TurnEnd} from '../../src/events/event.ts';
import type {ModelLimit} from '../../src/events/model-trouble.ts';
import {later} from '../../src/lib/text/duration.ts';
import {limitText, limitWaitOf} from '../../src/rules/limit-wait.ts';
import {noticesOf} from '../../src/rules/notices.ts';
import {statusOf} from '../../src/rules/status.ts';
import {fold} from '../../src/state/apply/apply.ts';
import {completed, type Given, parked, starting, working} from '../helpers/given.ts';
import {supervisorStarted} from '../helpers/happened.ts';
import {subtask} from '../helpers/plan.ts';

const hourMs = 3_600_000;

/** The end of a turn that met a limit, which resets so much later. */
const limited = (session: Given, inMs: number, limit: Partial<ModelLimit> = {}): TurnEnd => ({
	by: 'error',
	cause: 'You have hit your limit',
	trouble: {
		kind: 'rate',
		said: 'You have hit your limit',
		limit: {name: '5-hour limit', until: later(session.state().at, inMs), ...limit},
	},
});

const claude = (id: string) =>
	subtask(id, {agent: {protocol: 'acp', command: ['claude-agent-acp'], vendor: 'claude'}});

/** Works of one login, of which the first has met a limit that resets in two hours, and of another vendor. */
const threeOf = (): Given => {
	const session = working([claude('AGT-001'), claude('AGT-002'), subtask('AGT-003')], {
		settings: {parallel: 1},
	});
	session.ends('AGT-001', limited(session, 2 * hourMs, {shared: ['AGT-002']}));
	session.work();
	return session;
};

const untilOf = (session: Given): string | undefined => {
	const timer = session.timer('reset:');
	return timer && clockAt(timer.at, session.state());
};

const texts = (session: Given, zone: string) =>
	noticesOf(session.state(), {now: session.state().at, zone}).map(({text}) => text);

describe('an agent that met a limit of its login', () => {
	it('waits until that resets, and goes on by itself in the same conversation', () => {
		const session = working([claude('AGT-001')]);
		const until = later(session.state().at, 2 * hourMs);
		session.ends('AGT-001', limited(session, 2 * hourMs));
		expect(session.agent('AGT-001')).toMatchObject({
			state: 'CHECKPOINT',
			why: `5-hour limit of Claude, until ${until.slice(0, 10)} ${until.slice(11, 16)} UTC`,
		});
		expect([session.kinds(), session.keys(), untilOf(session)]).toEqual([[], [], until]);
		session.pass('reset:');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
		session.work();
		expect(session.agent('AGT-001')).toMatchObject({state: 'RUNNING', turn: {prompt: 'resume'}});
		expect(session.state().loginLimits).toEqual([]);
	});

	it('is told everywhere in one sentence, in the zone of whoever reads', () => {
		const session = working([claude('AGT-001')]);
		session.ends('AGT-001', limited(session, 2 * hourMs, {until: '2026-01-01T02:04:30.000Z'}));
		const {at} = session.state();
		const headline = '5-hour limit of Claude, until 03:04, in 2 h 5 min';
		expect(texts(session, 'Europe/Berlin')).toEqual([`${headline}; AGT-001 goes on by then`]);
		const {agents} = statusOf(session.state(), () => ({worktree: '', branch: ''}), {
			now: at,
			zone: 'Europe/Berlin',
		});
		expect(agents).toMatchObject([{why: headline, limit: '2026-01-01T02:04:30.000Z'}]);
	});

	it('uses up no try, however often it meets one', () => {
		const session = working([claude('AGT-001')]);
		for (let turn = 0; turn < 20; turn++) {
			session.ends('AGT-001', limited(session, hourMs));
			expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
			session.pass('reset:');
			session.work();
		}

		session.ends('AGT-001', {by: 'error', cause: 'x', trouble: {kind: 'overloaded', said: 'x'}});
		expect(session.agent('AGT-001').why).toContain('(try 1 of 4: it is overloaded)');
	});

	it('is tried no sooner than after any other failure, and ever less often, where the reset is just over', () => {
		const session = working([claude('AGT-001')]);
		const pauses: number[] = [];
		for (let turn = 0; turn < 6; turn++) {
			session.ends('AGT-001', limited(session, -30_000));
			pauses.push(Date.parse(untilOf(session) ?? '') - Date.parse(session.state().at));
			session.pass('reset:');
			session.work();
		}

		// The snapshot of its end is taken a second after it.
		expect(pauses.map(ms => ms + 1000)).toEqual([15, 60, 300, 900, 900, 900].map(s => s * 1000));
	});

	it.each([9 * 24, 400 * 24, 1e9])(
		'has failed where that resets in %d hours, and says so',
		hours => {
			const session = working([claude('AGT-001'), claude('AGT-002')]);
			session.ends('AGT-001', limited(session, hours * hourMs, {shared: ['AGT-002']}));
			expect(session.agent('AGT-001')).toMatchObject({
				state: 'FAILED',
				why: 'You have hit your limit; that is not waited for, since it is more than 8 days off',
			});
			expect([session.kinds(), session.state().loginLimits]).toEqual([['failure'], []]);
		},
	);

	it('has failed at once where the session tries nothing again', () => {
		const session = working([claude('AGT-001')], {settings: {modelRetriesMs: []}});
		session.ends('AGT-001', limited(session, hourMs));
		expect(session.stateOf('AGT-001')).toBe('FAILED');
	});

	it('goes on when its reset passes before its worktree was pinned', () => {
		const session = working([claude('AGT-001')]);
		const end = limited(session, 0);
		session.tell({kind: 'turn.ended', agent: 'AGT-001', turn: 1, end});
		session.pass('reset:');
		session.work();
		expect(session.agent('AGT-001')).toMatchObject({state: 'RUNNING', turn: {number: 2}});
	});

	it('waits on under another supervisor, and is due when the machine slept past the reset', () => {
		const session = working([claude('AGT-001')]);
		session.ends('AGT-001', limited(session, 2 * hourMs));
		const before = session.timer('reset:');
		session.tell(supervisorStarted({pid: 2}));
		expect(session.timer('reset:')).toEqual(before);
		expect(fold(session.events())).toEqual(session.state());
		session.sleep(3 * hourMs);
		session.tell({kind: 'machine.clock', byMs: 3 * hourMs});
		const due = session.timer('reset:')?.at;
		expect(due !== undefined && due <= session.state().awake).toBe(true);
	});

	it('is tried at once when a person wants that, and waits again when it is met again', () => {
		const session = working([claude('AGT-001')]);
		session.ends('AGT-001', limited(session, 2 * hourMs));
		const order = {verb: 'resume'} as const;
		expect(session.ask({kind: 'steer', agent: 'AGT-001', order})).toBeUndefined();
		expect(session.keys()).toEqual(['start:AGT-001:2']);
		session.work();
		session.ends('AGT-001', limited(session, 2 * hourMs));
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		expect(session.keys()).toEqual([]);
	});

	it('is not held by what it met before a turn of it was stopped', () => {
		const session = working([claude('AGT-001')]);
		session.ends('AGT-001', limited(session, 2 * hourMs));
		session.ask({kind: 'steer', agent: 'AGT-001', order: {verb: 'resume'}});
		session.work();
		session.ask({kind: 'steer', agent: 'AGT-001', order: {verb: 'pause'}});
		session.work();
		session.ask({kind: 'steer', agent: 'AGT-001', order: {verb: 'resume'}});
		session.work();
		expect(session.agent('AGT-001')).toMatchObject({state: 'RUNNING', turn: {number: 3}});
	});

	it('is out of the session as soon as it is stopped', () => {
		const session = threeOf();
		session.ask({kind: 'steer', agent: 'AGT-001', order: {verb: 'stop'}});
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
	});
});

describe('an agent whose service takes no more requests and tells no reset', () => {
	const refused: TurnEnd = {
		...{by: 'error', cause: 'too many requests'},
		trouble: {kind: 'rate', said: 'too many requests'},
	};

	it('goes on after an hour, in the same conversation, however often it was tried until then', () => {
		const session = working([claude('AGT-001'), claude('AGT-002')]);
		const over = later(session.state().at, hourMs);
		const pauses: number[] = [];
		while (session.state().at < over) {
			session.ends('AGT-001', refused);
			expect([session.stateOf('AGT-001'), session.kinds()]).toEqual(['CHECKPOINT', []]);
			expect(session.stateOf('AGT-002')).toBe('RUNNING');
			pauses.push(Date.parse(untilOf(session) ?? '') - Date.parse(session.state().at) + 1000);
			session.pass('reset:');
			session.work();
		}

		expect(pauses).toEqual([15, 60, 300, 900, 900, 900, 900].map(s => s * 1000));
		expect(session.agent('AGT-001')).toMatchObject({state: 'RUNNING', turn: {prompt: 'resume'}});
		expect(session.state().loginLimits).toEqual([]);
		session.ends('AGT-001', {by: 'error', cause: 'x', trouble: {kind: 'overloaded', said: 'x'}});
		expect(session.agent('AGT-001').why).toContain('(try 1 of 4: it is overloaded)');
	});

	it('says that nobody told when it is over, and when it is tried', () => {
		const session = working([claude('AGT-001')]);
		session.ends('AGT-001', refused);
		const headline =
			'too many requests of Claude, with no reset told, tried again at 00:00, in 14 s';
		expect(texts(session, 'UTC')).toEqual([`${headline}; AGT-001 goes on if it is over`]);
	});

	it('waits as long as it is told to', () => {
		const session = working([claude('AGT-001')]);
		const at = later(session.state().at, 40_000 + 1000);
		const trouble = {...refused.trouble, kind: 'rate', said: 'slow', retryAfterMs: 40_000} as const;
		session.ends('AGT-001', {...refused, trouble});
		expect(untilOf(session)).toBe(at);
		expect(texts(session, 'UTC')).toEqual([expect.stringContaining('limit of Claude, until ')]);
	});
});

describe('agents of the same login', () => {
	it('begin no turn until the reset, while those of another one go on', () => {
		const session = threeOf();
		expect(['AGT-001', 'AGT-002', 'AGT-003'].map(session.stateOf)).toEqual([
			'CHECKPOINT',
			'PENDING',
			'RUNNING',
		]);
		const [notice] = texts(session, 'UTC');
		expect(notice).toContain('; AGT-001 and AGT-002 go on by then');
		session.finishes('AGT-003');
		session.pass('reset:');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		session.finishes('AGT-001');
		session.work();
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
	});

	it('wait with what they are to be told, and are told it after the reset', () => {
		const session = parked([claude('AGT-001'), claude('AGT-002')]);
		session.ends('AGT-002', limited(session, hourMs, {shared: ['AGT-001']}));
		expect(limitWaitOf(session.state(), session.agent('AGT-001'))).toBeUndefined();
		session.decide('q-1', '8080');
		expect(session.keys()).toEqual([]);
		const limit = limitWaitOf(session.state(), session.agent('AGT-001'));
		const moment = {now: session.state().at, zone: 'UTC'};
		expect(limit && limitText(limit, moment)).toMatch(/^5-hour limit of Claude, until /);
		session.pass('reset:');
		expect(session.keys()).toEqual(['start:AGT-001:2', 'start:AGT-002:2']);
	});

	it('that have finished and are sent back wait as well', () => {
		const session = completed([claude('AGT-001'), claude('AGT-002')]);
		session.decide('r-2', 'feedback', 'shorter');
		session.work();
		session.ends('AGT-002', limited(session, hourMs, {shared: ['AGT-001']}));
		session.decide('r-1', 'feedback', 'shorter');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
		session.pass('reset:');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it('that are just being started wait without a person being asked about a slow start', () => {
		const session = starting([claude('AGT-001'), claude('AGT-002')]);
		for (const effect of session.owed().effects) {
			expect(effect.do).toBe('prepare');
		}

		session.tell({
			...{kind: 'workspace.prepared', agent: 'AGT-001', base: 'b', baseline: 'b'},
			...{onto: [], conflicts: []},
		});
		session.tell({
			...{kind: 'turn.started', agent: 'AGT-001', turn: 1, prompt: 'launch', pid: 7},
			...{startTime: 's', items: []},
		});
		session.ends('AGT-001', limited(session, hourMs, {shared: ['AGT-002']}));
		session.work();
		expect(session.stateOf('AGT-002')).toBe('SPAWNING');
		expect(session.timer('start:')).toBeUndefined();
		session.pass('reset:');
		session.work();
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
	});

	it('are all tried when a person has one of them tried', () => {
		const session = threeOf();
		session.ask({kind: 'steer', agent: 'AGT-002', order: {verb: 'resume'}});
		expect(session.state().loginLimits).toEqual([]);
	});

	it('wait on when one of them goes on with another agent', () => {
		const session = threeOf();
		const as = {profile: 'codex', agent: {protocol: 'acp', command: ['codex-acp']}} as const;
		session.ask({kind: 'steer', agent: 'AGT-001', order: {verb: 'restart', from: null, as}});
		session.finishes('AGT-003');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(limitWaitOf(session.state(), session.agent('AGT-002'))).toBeDefined();
	});
});

it.each([
	[20_000, '20 s'],
	[59_001, '1 min'],
	[2 * hourMs + 3.5 * 60_000, '2 h 4 min'],
	[hourMs, '1 h'],
	[25 * hourMs, '1 day 1 h'],
	[6 * 24 * hourMs, '6 days'],
	[-5000, '0 s'],
])('%d ms still to come are told as %s', (ms, text) => {
	const now = '2026-01-01T00:00:00.000Z';
	const limit = {title: 'limit of Codex', until: later(now, ms), agent: 'AGT-001', holds: []};
	expect(limitText(limit, {now, zone: 'UTC'})).toMatch(new RegExp(`, in ${text}$`));
});
