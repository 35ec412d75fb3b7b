import {describe, expect, it} from 'vitest';
import type {Subtask} from '../../src/events/plan.ts';
import {statusOf} from '../../src/rules/status.ts';
import {endingText} from '../../src/state/agent/awaiting.ts';
import {type Given, report, saying} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';

const delegation =
	'[DELEGATE_WORK]\nnew_task_description: Redis\nindependence: blocks_current_work\ncoordination: one port\n[/DELEGATE_WORK]\n';
const added = {subtask: subtask('AGT-002', {subtask: 'Redis'})};

/** Returns a session in which the first agent waits for the second one's work. */
const awaiting = (
	choice = 'approve',
	said = delegation,
	agents: readonly Subtask[] = [subtask('AGT-001')],
): Given => {
	const session = saying(said, agents);
	session.ends('AGT-001');
	session.decide(session.state().items[0]?.id ?? '', choice, undefined, added);
	session.work();
	return session;
};

const finish = (session: Given): void => {
	session.says('AGT-002', `SUMMARY: Redis runs\n${report('success')}`);
	session.ends('AGT-002');
};

const waitingFor = (session: Given): string | null | undefined =>
	statusOf(session.state(), () => ({worktree: '', branch: ''})).agents[0]?.waitingFor;

describe('an agent that can’t go on without work that it handed on', () => {
	it('waits in CHECKPOINT, and frees its place', () => {
		const session = awaiting();
		expect([session.stateOf('AGT-001'), session.stateOf('AGT-002')]).toEqual([
			...['CHECKPOINT', 'RUNNING'],
		]);
		expect(waitingFor(session)).toBe('AGT-002');
		expect(session.agent('AGT-001').replies).toEqual([]);
	});

	it('goes on once that work is accepted and stands under its own, and is told what came of it', () => {
		const session = awaiting();
		finish(session);
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		session.decide(session.item('review').id, 'merge');
		expect(session.keys()).toEqual(['rework:AGT-001']);
		expect(session.agent('AGT-001')).toMatchObject({
			rework: ['AGT-002'],
			replies: [
				{
					heading: 'DELEGATION APPROVED',
					newAgent: {id: 'AGT-002'},
					coordination: 'one port',
					results: {of: 'AGT-002'},
				},
			],
		});
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.agent('AGT-001').workspace).toMatchObject({onto: ['AGT-002']});
	});

	it('goes on as soon as that work is complete where it is to', () => {
		const session = awaiting('approve', delegation, [subtask('AGT-001', {resume: 'completed'})]);
		finish(session);
		expect(session.keys()).toEqual(['rework:AGT-001']);
		expect(session.agent('AGT-001').replies).toMatchObject([{results: {of: 'AGT-002'}}]);
		expect(session.item('review').agent).toBe('AGT-002');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		session.decide(session.item('review').id, 'abort');
		expect(session.stateOf('AGT-002')).toBe('ABORTED');
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it('waits for a person where semi-autonomous agents are to, too', () => {
		const agent = subtask('AGT-001', {supervision: 'semi-autonomous', resume: 'accepted'});
		const session = awaiting('approve', delegation, [agent]);
		finish(session);
		expect(session.agent('AGT-001').replies).toEqual([]);
	});

	it('that dies meanwhile is told who does that work when it is tried again', () => {
		const session = saying(delegation);
		session.decide(session.item('delegation').id, 'approve', undefined, added);
		session.ends('AGT-001', {by: 'exit', code: 1});
		session.work();
		expect(session.stateOf('AGT-001')).toBe('FAILED');
		session.decide(session.item('failure').id, 'retry');
		const [reply] = session.agent('AGT-001').replies;
		expect(reply).toMatchObject({heading: 'DELEGATION APPROVED', newAgent: {id: 'AGT-002'}});
	});

	it('goes on without that work under its own where the two can’t be put together, and is told why', () => {
		const session = awaiting();
		finish(session);
		session.decide(session.item('review').id, 'merge');
		session.fails('rework:AGT-001', 'both add redis.conf');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
		expect(session.agent('AGT-001').replies[0]?.results).toEqual({
			of: 'AGT-002',
			apart: 'both add redis.conf',
		});
	});

	it('waits on while the other one has failed, and is told when a person gives that up', () => {
		const session = awaiting();
		session.ends('AGT-002', {by: 'exit', code: 3}, 'no port');
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		session.decide(session.item('failure').id, 'abandon');
		expect(session.agent('AGT-001').replies[0]?.results).toEqual({of: 'AGT-002'});
		const other = session.agent('AGT-002');
		expect(endingText(other)).toBe(
			'ABORTED: abandoned; it did not do it: do without it, or say what you need',
		);
		expect(session.keys()).toEqual(['start:AGT-001:2']);
	});

	it('is put to work at once when a person has it start over', () => {
		const session = awaiting();
		session.ask({kind: 'steer', agent: 'AGT-001', order: {verb: 'restart', from: null}});
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.agent('AGT-001').awaits).toBeUndefined();
	});

	it('is not written to in the middle of its wait', () => {
		const session = awaiting();
		expect(
			session.ask({
				...{kind: 'steer', agent: 'AGT-001'},
				order: {verb: 'message', text: 'hurry', now: true},
			}),
		).toContain('waits for the work of AGT-002');
	});
});

describe('an agent whose blocked part is given to another one', () => {
	const stop =
		'[STOP_WORK]\ndetails: 5 retries failed\nblocked_work: Phase 2\nstate_snapshot: {next: Phase 3}\n[/STOP_WORK]\n';

	it('goes on with what comes after it', () => {
		const session = awaiting('delegate', stop);
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.agent('AGT-001').delivered).toMatchObject([
			{heading: 'PARTIAL RESUME', work: 'Phase 2', workStatus: {next: 'Phase 3'}},
		]);
	});

	it('waits for it where the person says so', () => {
		const session = awaiting('delegate-wait', stop);
		expect(waitingFor(session)).toBe('AGT-002');
		finish(session);
		session.decide(session.item('review').id, 'merge');
		expect(session.agent('AGT-001').replies).toMatchObject([
			{heading: 'PARTIAL RESUME', results: {of: 'AGT-002'}},
		]);
	});
});
