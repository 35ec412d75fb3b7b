import {describe, expect, it} from 'vitest';
import {ask, type Given, parked, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';

const ids = (count: number) => Array.from({length: count}, (_, index) => `AGT-00${index + 1}`);

const agentsIn = (session: Given, state: string): readonly string[] =>
	session
		.state()
		.agents.filter(agent => agent.state === state)
		.map(({id}) => id);

describe('slots', () => {
	it('let three agents of five work at once, in the order of the plan', () => {
		const session = working(ids(5));
		expect(agentsIn(session, 'RUNNING')).toEqual(['AGT-001', 'AGT-002', 'AGT-003']);
		expect(agentsIn(session, 'PENDING')).toEqual(['AGT-004', 'AGT-005']);
	});

	it('are as many as the settings say', () => {
		const session = working(ids(3), {settings: {parallel: 1}});
		expect(agentsIn(session, 'RUNNING')).toEqual(['AGT-001']);
	});

	it('are held while an agent is being started', () => {
		const session = working(ids(4));
		session.finishes('AGT-001');
		expect(agentsIn(session, 'SPAWNING')).toEqual(['AGT-004']);
		session.finishes('AGT-002');
		session.ask({kind: 'add', subtask: subtask('AGT-005')});
		session.ask({kind: 'add', subtask: subtask('AGT-006')});
		expect(agentsIn(session, 'PENDING')).toEqual(['AGT-006']);
	});

	it('are free for others while an agent waits, even in a live turn', () => {
		const session = working(ids(4));
		session.says('AGT-001', ask);
		expect(agentsIn(session, 'SPAWNING')).toEqual(['AGT-004']);
	});

	it('go to an agent that waited before they go to a new one', () => {
		const session = parked(ids(5));
		session.work();
		expect(agentsIn(session, 'RUNNING')).toEqual(['AGT-002', 'AGT-003', 'AGT-004']);
		session.decide('q-1', '8080');
		expect(session.keys()).toEqual([]);
		session.finishes('AGT-002');
		expect(agentsIn(session, 'PENDING')).toEqual(['AGT-005']);
		expect(session.keys()).toEqual(['start:AGT-001:2']);
		session.work();
		session.finishes('AGT-003');
		expect(agentsIn(session, 'SPAWNING')).toEqual(['AGT-005']);
	});

	it('go to the agent that waited longest', () => {
		const session = working(ids(6), {settings: {parallel: 2}});
		session.says('AGT-002', ask);
		session.ends('AGT-002');
		session.work();
		session.says('AGT-001', ask);
		session.ends('AGT-001');
		session.work();
		session.decide('q-2', '1');
		session.decide('q-1', '2');
		session.finishes('AGT-003');
		expect(session.keys()).toEqual(['start:AGT-002:2']);
	});

	it('are waited for by an answer that goes to a live turn, too', () => {
		const stdin = subtask('AGT-001', {
			agent: {protocol: 'text', command: ['agent'], reply: 'stdin'},
		});
		const session = working([stdin, 'AGT-002'], {settings: {parallel: 1}});
		session.says('AGT-001', ask);
		session.work();
		expect(agentsIn(session, 'RUNNING')).toEqual(['AGT-001', 'AGT-002']);
		session.decide('q-1', '8080');
		expect(session.keys()).toEqual([]);
		session.finishes('AGT-002');
		expect(session.keys()).toEqual(['reply:AGT-001:q-1']);
	});
});

describe('an agent that waits for others', () => {
	const chain = ['AGT-001', subtask('AGT-002', {after: ['AGT-001']})];

	it('starts when a person has accepted them', () => {
		const session = working(chain);
		session.finishes('AGT-001');
		expect(session.stateOf('AGT-002')).toBe('PENDING');
		session.decide('r-1', 'merge');
		expect(session.stateOf('AGT-002')).toBe('SPAWNING');
	});

	it.each([{resume: 'completed' as const}, {supervision: 'semi-autonomous' as const}])(
		'starts as soon as they are complete where the plan says %j',
		plan => {
			const session = working(chain, {plan});
			expect(session.stateOf('AGT-002')).toBe('PENDING');
			session.finishes('AGT-001');
			expect(session.stateOf('AGT-002')).toBe('SPAWNING');
		},
	);

	it('does not start while one of them failed and nobody has decided about it', () => {
		const session = working(chain);
		session.ends('AGT-001', {by: 'exit', code: 1});
		expect(session.stateOf('AGT-002')).toBe('PENDING');
		expect(session.kinds()).toEqual(['failure']);
	});

	it.each(['abandon', 'salvage'])('starts after the one that failed was decided: %s', choice => {
		const session = working(chain);
		session.ends('AGT-001', {by: 'exit', code: 1});
		session.decide('f-1', choice);
		expect(session.stateOf('AGT-002')).toBe('SPAWNING');
	});

	it('does not start before the plan is approved', () => {
		const session = working(chain);
		expect(session.events().find(({kind}) => kind === 'user.decided')).toMatchObject({
			item: 'p-1',
			choice: 'approve',
		});
		const [first] = session.events().filter(({kind}) => kind === 'agent.moved');
		expect(first?.seq).toBe(3);
	});
});
