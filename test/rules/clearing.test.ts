import {describe, expect, it} from 'vitest';
import {isClearingDue, whyNotUndo} from '../../src/rules/effects/merging.ts';
import {interruptedNotice} from '../../src/rules/notices.ts';
import {type Given, working} from '../helpers/given.ts';
import {supervisorStarted} from '../helpers/happened.ts';
import {build, checked, publish, refuse, verify} from '../helpers/merging.ts';
import {subtask} from '../helpers/plan.ts';

/** A session whose publication was cut off and then refused, so that it is asked about again. */
const interrupted = (): Given => {
	const session = checked(['AGT-001']);
	session.decide('a-1', 'approve');
	session.tell(supervisorStarted({pid: 2}));
	refuse(session, 'interrupted');
	return session;
};

const clearing = 'clear-up';

const cleared = (session: Given): void => session.tell({kind: 'machine.interrupted', left: null});

const undoCutOff = (session: Given): void => {
	session.tell({kind: 'merge.intended', commit: 'base', from: 'result', undoes: 'result'});
	refuse(session, 'interrupted', 'base');
};

const why = {message: 'a.txt changed.', hint: 'Look at it.'};

const notCleared = (session: Given): void => session.tell({kind: 'machine.interrupted', left: why});

describe('what a publication that was cut off left in the checkout', () => {
	it('stays while the approval may still finish it', () => {
		const session = interrupted();
		expect(session.keys()).toEqual([]);
		session.decide('a-2', 'approve');
		expect(session.keys()).toEqual(['publish:result:a-2']);
		publish(session);
		expect(session.state().session?.ended).toBeDefined();
	});

	it('is taken back when the approval is rejected', () => {
		const session = interrupted();
		session.decide('a-2', 'reject');
		expect(session.keys()).toEqual([clearing]);
		cleared(session);
		expect(session.keys()).toEqual([]);
		expect(session.kinds()).toEqual(['review']);
		expect(session.state().interrupted).toEqual([]);
	});

	it('is taken back when the target has moved on, before anything else is published', () => {
		const session = interrupted();
		session.tell({kind: 'target.moved', from: 'base', to: 'theirs'});
		expect(session.keys()).toEqual(['build:theirs:AGT-001@1:0', clearing]);
	});

	it('is taken back at stop, and the session waits for that', () => {
		const session = interrupted();
		expect(session.ask({kind: 'stop'})).toBeUndefined();
		expect(session.keys()).toEqual([clearing]);
		expect(session.state().session?.ended).toBeUndefined();
		cleared(session);
		expect(session.state().session?.ended).toMatchObject({status: 'COMPLETE'});
	});

	it('is taken back before a session ends in another way', () => {
		const session = interrupted();
		session.decide('a-2', 'reject');
		session.decide('r-2', 'abort');
		expect(session.keys()).toEqual([clearing]);
		expect(session.state().session?.ended).toBeUndefined();
		cleared(session);
		expect(session.state().session?.ended).toMatchObject({status: 'ABORTED'});
	});

	it('is told where it can’t be taken back, and looked at again after the next decision', () => {
		const session = interrupted();
		session.decide('a-2', 'reject');
		notCleared(session);
		expect(session.keys()).toEqual([]);
		expect(interruptedNotice(session.state())).toEqual([
			{
				level: 'warn',
				text: 'A merge or an undo was cut off, and its traces are still in your checkout. a.txt changed. Look at it.',
			},
		]);
		session.decide('r-2', 'snooze');
		expect(session.keys()).toEqual([clearing]);
		expect(interruptedNotice(session.state())).toEqual([]);
	});

	it('is looked at again by the next supervisor', () => {
		const session = interrupted();
		session.decide('a-2', 'reject');
		notCleared(session);
		session.tell(supervisorStarted({pid: 3}));
		expect(session.keys()).toEqual([clearing]);
	});

	it('keeps no session from its end when it can’t be taken back', () => {
		const session = interrupted();
		session.ask({kind: 'stop'});
		notCleared(session);
		expect(session.state().session?.ended).toBeDefined();
		expect(interruptedNotice(session.state())).toHaveLength(1);
		cleared(session);
		expect(interruptedNotice(session.state())).toEqual([]);
	});

	it('is told as well when looking at it fails for good', () => {
		const session = interrupted();
		session.ask({kind: 'stop'});
		session.fails('clear-up', 'no git');
		expect(session.state().notCleared).toMatchObject({message: 'no git'});
		expect(session.state().session?.ended).toBeDefined();
	});

	it('is taken back before anything can be undone, while the session lasts', () => {
		const session = interrupted();
		session.ask({kind: 'add', subtask: subtask('AGT-002')});
		session.decide('a-2', 'approve');
		publish(session);
		undoCutOff(session);
		expect(whyNotUndo(session.state())).toBe('main is being moved.');
		notCleared(session);
		expect(whyNotUndo(session.state())).toBeUndefined();
	});

	it('is taken back by the next undo, once the session has ended', () => {
		const session = interrupted();
		session.decide('a-2', 'approve');
		publish(session);
		undoCutOff(session);
		expect(session.state().session?.ended).toBeDefined();
		expect(session.state().interrupted).toHaveLength(1);
		expect(whyNotUndo(session.state())).toBeUndefined();
	});

	it('is left to the undo that is tried again', () => {
		const session = interrupted();
		session.decide('a-2', 'approve');
		publish(session);
		undoCutOff(session);
		expect(isClearingDue(session.state())).toBe(true);
		session.tell({kind: 'merge.intended', commit: 'base', from: 'result', undoes: 'result'});
		expect(isClearingDue(session.state())).toBe(false);
	});

	it.each([
		[['result'], false],
		[['another', 'result'], false],
		[['another'], true],
	])('of moves to %o is taken back while the result waits for its approval: %s', (moves, isDue) => {
		const since = '2026-01-01T00:00:00.000Z';
		const interrupted = moves.map(to => ({from: 'base', to, since}));
		expect(isClearingDue({...checked(['AGT-001']).state(), interrupted})).toBe(isDue);
	});

	it('stays as soon as the result is approved', () => {
		const state = interrupted().state();
		const {merge} = state;
		const approved =
			merge.phase === 'verified' ? {...merge, phase: 'approved' as const, approval: 'a-2'} : merge;
		const moves = state.interrupted.map(move => ({...move, to: 'another'}));
		expect(isClearingDue({...state, interrupted: moves})).toBe(true);
		expect(isClearingDue({...state, interrupted: moves, merge: approved})).toBe(false);
	});

	it('of salvaged work alone is taken back at stop as well', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', {by: 'exit', code: 1});
		session.decide('f-1', 'salvage');
		build(session);
		verify(session, true);
		session.decide('a-1', 'approve');
		refuse(session, 'interrupted');
		session.ask({kind: 'stop'});
		expect(session.keys()).toEqual([clearing]);
	});
});
