import {describe, expect, it} from 'vitest';
import type {AgentOrder} from '../../src/events/agent-order.ts';
import {accepted, completed, type Given, planned, report, working} from '../helpers/given.ts';

const ask = '[CLARIFICATION_NEEDED]\nquestions: [Which port?]\n[/CLARIFICATION_NEEDED]\n';

/** Has an agent do something; fails when it is refused. */
const steer = (session: Given, order: AgentOrder, agent = 'AGT-001'): void => {
	expect(session.ask({kind: 'steer', agent, order})).toBeUndefined();
};

const stop: AgentOrder = {verb: 'stop'};

describe('an agent that a person stops', () => {
	it('is out of the session at once when it had not started', () => {
		const session = working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
		steer(session, stop, 'AGT-002');
		expect(session.stateOf('AGT-002')).toBe('ABORTED');
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it('is out of the session while it is being started', () => {
		const session = planned(['AGT-001', 'AGT-002']);
		session.decide('p-1', 'approve');
		expect(session.stateOf('AGT-001')).toBe('SPAWNING');
		steer(session, stop);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
	});

	it('at work has its turn ended and its work pinned first', () => {
		const session = working(['AGT-001', 'AGT-002']);
		steer(session, stop);
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.keys()).toEqual(['end-turn:AGT-001:1']);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
		expect(session.agent('AGT-001').snapshots).toMatchObject([{reason: 'exit:1'}]);
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
	});

	it('takes what it waited for with it, and nothing of the others', () => {
		const session = working(['AGT-001', 'AGT-002']);
		session.says('AGT-001', ask);
		session.says('AGT-002', ask);
		session.ends('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		steer(session, stop);
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
		expect(session.state().items).toMatchObject([{id: 'q-2', agent: 'AGT-002'}]);
	});

	it('is waited for no more by those that come after it', () => {
		const session = working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
		steer(session, stop);
		session.work();
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
	});

	it('can be taken out of the merge after it was accepted', () => {
		const session = accepted(['AGT-001', 'AGT-002']);
		steer(session, stop);
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
	});

	it('ends the session if it was the last one', () => {
		const session = working(['AGT-001']);
		steer(session, stop);
		session.work();
		expect(session.state().session?.ended).toMatchObject({status: 'ABORTED'});
	});
});

describe('steering is refused, with the reason', () => {
	const refusal = (session: Given, order: AgentOrder = stop, agent = 'AGT-001') =>
		session.ask({kind: 'steer', agent, order});

	it('for an agent that there is not', () => {
		expect(refusal(working(['AGT-001']), stop, 'AGT-009')).toBe(
			'There is no agent AGT-009 in this session.',
		);
	});

	it('before the plan is approved', () => {
		expect(refusal(planned(['AGT-001']))).toBe(
			'The plan is not approved yet; p-1 asks what becomes of it.',
		);
	});

	it('once it is being stopped, and once it is out', () => {
		const session = working(['AGT-001', 'AGT-002']);
		steer(session, stop);
		expect(refusal(session)).toBe('AGT-001 is being stopped.');
		session.work();
		expect(refusal(session)).toBe('AGT-001 is out of the session: stopped by a person.');
	});

	it('where an item asks what becomes of its work', () => {
		expect(refusal(completed(['AGT-001']))).toBe(
			'AGT-001 has finished; r-1 asks what becomes of its work.',
		);
		const failed = working(['AGT-001']);
		failed.says('AGT-001', report('failed'));
		failed.ends('AGT-001');
		expect(refusal(failed)).toBe('AGT-001 has failed; f-1 asks what becomes of its work.');
	});

	it('while the session is being stopped', () => {
		const session = working(['AGT-001']);
		session.ask({kind: 'stop'});
		expect(refusal(session)).toBe('The session is being stopped.');
	});
});
