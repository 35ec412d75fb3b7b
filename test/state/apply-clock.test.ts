import {expect, test} from 'vitest';
import {later} from '../../src/lib/time.ts';
import {attemptOf} from '../../src/state/state.ts';
import {hear, planned, working} from '../helpers/given.ts';

const dayMs = 86_400_000;

test('a wait that is over is over, however the clock jumps', () => {
	const session = working(['AGT-001']);
	session.says('AGT-001', '[CLARIFICATION_NEEDED]\nquestion: Which?\n[/CLARIFICATION_NEEDED]');
	session.pass('grace:AGT-001');
	const before = session.owed();
	expect(session.keys()).toContain('end-turn:AGT-001:1');
	session.tell({kind: 'machine.changed', what: 'clock', byMs: -dayMs});
	expect(session.keys()).toContain('end-turn:AGT-001:1');
	expect(session.owed().timers).toEqual(
		before.timers.map(timer => ({...timer, at: later(timer.at, -dayMs)})),
	);
});

test('a question that waits for a quick answer waits as long by the new clock', () => {
	const session = working(['AGT-001']);
	session.says('AGT-001', '[CLARIFICATION_NEEDED]\nquestion: Which?\n[/CLARIFICATION_NEEDED]');
	const {deadline, opened} = session.item('question');
	session.tell({kind: 'machine.changed', what: 'clock', byMs: dayMs});
	expect(session.item('question')).toMatchObject({deadline: later(deadline, dayMs), opened});
});

test('a try that failed is not due sooner, and one that was due stays so', () => {
	const session = working(['AGT-001']);
	const effect = {do: 'snapshot', agent: 'AGT-001', reason: 'x'} as const;
	session.tell({
		kind: 'effect.failed',
		effect,
		message: 'The disk is full.',
		final: false,
	});
	const {at} = attemptOf(session.state(), effect) ?? {at: ''};
	session.tell({kind: 'deadline.passed', deadline: {of: 'retry', effect, since: at}});
	session.tell({kind: 'machine.changed', what: 'clock', byMs: dayMs});
	expect(attemptOf(session.state(), effect)?.at).toBe(later(at, dayMs));
	expect(session.state().passed).toContainEqual({of: 'retry', effect, since: later(at, dayMs)});
});

test('a turn that stands still, and a call that is held, jump along', () => {
	const session = working(['AGT-001'], {settings: {quickMs: 60_000}});
	const [signal] = hear('[CLARIFICATION_NEEDED]\nquestion: Which?\n[/CLARIFICATION_NEEDED]');
	if (signal === undefined) {
		return expect.unreachable('a signal was expected');
	}

	session.tell({kind: 'signal.said', agent: 'AGT-001', turn: 1, signal, offset: 0, by: 'tool'});
	session.tell({kind: 'turn.changed', agent: 'AGT-001', turn: 1, to: 'paused'});
	const {turn, listening} = session.agent('AGT-001');
	session.tell({kind: 'machine.changed', what: 'clock', byMs: dayMs});
	const [call] = listening;
	expect(session.agent('AGT-001').listening).toEqual([
		{...call, until: later(call?.until ?? '', dayMs)},
	]);
	expect(session.agent('AGT-001').turn).toEqual({
		...turn,
		startedAt: later(turn.phase === 'live' ? turn.startedAt : '', dayMs),
		pausedAt: later(turn.phase === 'live' ? (turn.pausedAt ?? '') : '', dayMs),
	});
});

test('a start that was given more time keeps it, and who rests goes on resting', () => {
	const session = planned(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
	session.decide('p-1', 'approve');
	session.pass('start:');
	const limit = session.item('limit');
	const resting = session.agent('AGT-002').turn;
	session.tell({kind: 'machine.changed', what: 'clock', byMs: dayMs});
	expect(session.item('limit')).toEqual(limit);
	session.decide('l-1', 'extend');
	const {extendedAt = ''} = session.agent('AGT-001');
	session.tell({kind: 'machine.changed', what: 'clock', byMs: dayMs});
	expect(session.agent('AGT-001').extendedAt).toBe(later(extendedAt, dayMs));
	expect(session.agent('AGT-002').turn).toEqual(resting);
});

test('a disk has been short of space for as long as before', () => {
	const session = working(['AGT-001']);
	const short = {level: 'low', free: 100, total: 1000, folder: '/state'} as const;
	session.tell({kind: 'machine.changed', what: 'disk', ...short});
	const {since} = session.state().disk ?? {since: ''};
	session.tell({kind: 'machine.changed', what: 'clock', byMs: dayMs});
	expect(session.state().disk).toEqual({...short, since: later(since, dayMs)});
});

test('a jump out of all time changes nothing', () => {
	const session = working(['AGT-001']);
	const {since} = session.agent('AGT-001');
	session.tell({kind: 'machine.changed', what: 'clock', byMs: Number.MAX_VALUE});
	expect(session.agent('AGT-001').since).toBe(since);
});
