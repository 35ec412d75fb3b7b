import {describe, expect, it} from 'vitest';
import {completed, planned, saying, starting, stopWork, working} from '../helpers/given.ts';
import {build, checked, publish, verify} from '../helpers/merging.ts';
import {workspacePrepared} from '../helpers/quiet-outcome.ts';

describe('a session', () => {
	it('ends as complete when all agents are merged or out of it', () => {
		const session = working(['AGT-001', 'AGT-002']);
		session.finishes('AGT-001');
		session.decide('r-1', 'merge');
		session.ends('AGT-002', {by: 'exit', code: 1});
		session.decide('f-1', 'abandon');
		build(session);
		verify(session, true);
		session.decide('a-1', 'approve');
		expect(session.state().session?.ended).toBeUndefined();
		publish(session);
		expect(session.events().at(-1)).toMatchObject({
			kind: 'session.ended',
			status: 'COMPLETE',
			why: 'the work of 1 of 2 agents was merged',
		});
	});

	it('ends as aborted when its plan is rejected, and no agent ever starts', () => {
		const session = planned(['AGT-001']);
		session.decide('p-1', 'reject');
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
		expect(session.events().at(-1)).toMatchObject({kind: 'session.ended', status: 'ABORTED'});
	});

	it('ends as aborted when nothing is left to merge, and owes, asks and grants nothing then', () => {
		const session = completed(['AGT-001']);
		session.decide('r-1', 'abort');
		expect(session.events().at(-1)).toMatchObject({kind: 'session.ended', status: 'ABORTED'});
		expect(session.owed()).toEqual({events: [], effects: [], timers: []});
		expect(session.kinds()).toEqual([]);
		expect(session.ask({kind: 'stop'})).toBe('No session is active in this repository.');
	});
});

describe('stop', () => {
	it('ends every agent, lets its turn end first and takes a snapshot of it', () => {
		const session = working(['AGT-001', 'AGT-002']);
		session.says('AGT-002', stopWork);
		session.work();
		expect(session.ask({kind: 'stop'})).toBeUndefined();
		expect(session.kinds()).toEqual([]);
		expect(session.keys()).toEqual(['end-turn:AGT-001:1', 'end-turn:AGT-002:1']);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
		expect(session.agent('AGT-001').snapshots.at(-1)?.reason).toBe('exit:1');
		expect(session.events().at(-1)).toMatchObject({
			kind: 'session.ended',
			status: 'ABORTED',
			why: 'a person ended it',
		});
	});

	it('ends the session as complete when all agents were settled', () => {
		const session = completed(['AGT-001', 'AGT-002']);
		session.decide('r-1', 'merge');
		session.decide('r-2', 'abort');
		session.ask({kind: 'stop'});
		expect(session.events().at(-1)).toMatchObject({kind: 'session.ended', status: 'COMPLETE'});
	});

	it('ends the session as aborted while finished work still waits for its review', () => {
		const session = completed(['AGT-001', 'AGT-002']);
		session.decide('r-2', 'abort');
		session.ask({kind: 'stop'});
		expect(session.events().at(-1)).toMatchObject({kind: 'session.ended', status: 'ABORTED'});
	});

	it('starts nothing more while turns end', () => {
		const session = working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
		session.ask({kind: 'stop'});
		session.tell({kind: 'turn.ended', agent: 'AGT-001', turn: 1, end: {by: 'stopped'}});
		expect(session.keys()).toEqual(['snapshot:AGT-001:exit:1']);
		expect(session.stateOf('AGT-002')).toBe('ABORTED');
	});

	it('is refused while the approved result is being published, and decisions after it are', () => {
		const session = checked(['AGT-001']);
		session.decide('a-1', 'approve');
		expect(session.ask({kind: 'stop'})).toBe('The approved result is being merged.');
		const other = saying(stopWork);
		other.ask({kind: 'stop'});
		expect(other.refusal('b-1', 'resolved')).toBe('The session is being stopped.');
	});

	it('ends a turn that came to life behind its back before the session ends', () => {
		const session = starting(['AGT-001', 'AGT-002']);
		session.tell(workspacePrepared('AGT-001'));
		const late = {kind: 'turn.started', agent: 'AGT-001', turn: 1, prompt: 'launch'} as const;
		session.tell(
			{kind: 'user.decided', item: 'session', choice: 'stop', by: 'user'},
			{...late, pid: 1, startTime: '1', items: []},
		);
		expect(session.keys()).toEqual(['end-turn:AGT-001:1']);
		expect(session.state().session?.ended).toBeUndefined();
		session.work();
		expect(session.state().session?.ended).toBeDefined();
	});
});
