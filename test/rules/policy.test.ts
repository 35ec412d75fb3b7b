import {describe, expect, it} from 'vitest';
import type {Supervision} from '../../src/events/plan.ts';
import {namedPolicy, policyIn} from '../../src/events/supervision.ts';
import {policy} from '../../src/rules/effects/policy.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {checkpoint, type Given, planned, saying, working} from '../helpers/given.ts';
import {build, collide, verify} from '../helpers/merging.ts';
import {subtask} from '../helpers/plan.ts';

const semi = {plan: {supervision: 'semi-autonomous'}} as const;

const decidedByPolicy = (session: Given) =>
	session
		.events()
		.flatMap(event => (event.kind === 'user.decided' && event.by === 'policy' ? [event.item] : []));

describe('a semi-autonomous plan', () => {
	it('still waits for the approval of the plan', () => {
		expect(planned(['AGT-001'], semi).kinds()).toEqual(['plan']);
	});

	it('lets agents go on past their checkpoints', () => {
		const session = working(['AGT-001'], semi);
		session.says('AGT-001', checkpoint('Status: IN_PROGRESS'));
		session.ends('AGT-001');
		session.work();
		expect(decidedByPolicy(session)).toEqual(['cp-1']);
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it.each(['HELP', 'ABORT'])('is asked at a checkpoint that requests %s', request => {
		const session = working(['AGT-001'], semi);
		session.says('AGT-001', checkpoint(`Status: IN_PROGRESS\n## Request\n${request}`));
		session.ends('AGT-001');
		session.work();
		expect(session.kinds()).toEqual(['checkpoint']);
		expect(decidedByPolicy(session)).toEqual([]);
	});

	it('can be so for one agent only', () => {
		const alone = subtask('AGT-001', {supervision: 'semi-autonomous'});
		const session = working([alone, 'AGT-002']);
		session.finishes('AGT-001');
		session.finishes('AGT-002');
		expect(decidedByPolicy(session)).toEqual(['r-1']);
		expect(session.kinds()).toEqual(['review']);
	});

	it('leaves blockers and questions to a person', () => {
		const session = working(['AGT-001'], semi);
		session.says(
			'AGT-001',
			checkpoint('Status: BLOCKED\n## Blockers\nno disk\n## Questions for Parent\n- Why?'),
		);
		session.ends('AGT-001');
		expect(session.kinds()).toEqual(['blocker', 'question']);
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
	});

	it('accepts finished work, and leaves the approval to a person', () => {
		const session = working(['AGT-001'], semi);
		session.finishes('AGT-001');
		expect(decidedByPolicy(session)).toEqual(['r-1']);
		build(session);
		verify(session, true);
		expect(session.kinds()).toEqual(['approval']);
		expect(session.owed()).toEqual({events: [], effects: [], timers: []});
	});

	it.each(['approval', 'verify', 'conflict', 'failure', 'plan'] as const)(
		'is refused a decision about a person’s item: %s',
		kind => {
			const session = sessionWith(kind);
			const {id: item} = session.item(kind);
			for (const {choice} of inbox(session.state()).find(({id}) => id === item)?.choices ?? []) {
				expect(session.ask({kind: 'decide', item, choice, by: 'policy'})).toBe(
					'Only a person can decide this.',
				);
			}

			expect(decidedByPolicy(session)).not.toContain(item);
		},
	);

	it('does not accept again what a person rejected', () => {
		const session = sessionWith('approval');
		session.decide('a-1', 'reject');
		expect(session.kinds()).toEqual(['review']);
		expect(session.keys()).toEqual([]);
	});
});

describe('a plan that says kind by kind what it asks', () => {
	const supervised = (supervision: Supervision, of?: Supervision) =>
		working([subtask('AGT-001', of === undefined ? {} : {supervision: of})], {plan: {supervision}});
	const handingOn = '[DELEGATE_WORK]\nnew_task_description: Redis\n[/DELEGATE_WORK]\n';

	it('lets a checkpoint go on, and asks about finished work', () => {
		const session = supervised({checkpoint: 'go'});
		session.says('AGT-001', checkpoint('Status: IN_PROGRESS'));
		session.ends('AGT-001');
		session.work();
		session.finishes('AGT-001');
		expect(decidedByPolicy(session)).toEqual(['cp-1']);
		expect(session.kinds()).toEqual(['review']);
	});

	it('refuses work that is handed on, and tells the agent why', () => {
		const session = supervised({delegation: 'stop'});
		session.says('AGT-001', handingOn);
		session.ends('AGT-001');
		expect(decidedByPolicy(session)).toEqual(['d-1']);
		expect([session.kinds(), session.state().agents.length]).toEqual([[], 1]);
		expect(JSON.stringify(session.agent('AGT-001'))).toContain(
			'The plan refuses this, and nobody was asked.',
		);
	});

	it('refuses more scope, so that the agent goes on without it', () => {
		const session = supervised({scope: 'stop'});
		session.says('AGT-001', '[SCOPE_REQUEST]\npaths: [docs/**]\nreason: docs\n[/SCOPE_REQUEST]\n');
		session.ends('AGT-001');
		expect(session.kinds()).toEqual([]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it('holds for an agent as far as that says nothing else', () => {
		const session = supervised({review: 'go', delegation: 'stop'}, {review: 'ask'});
		session.says('AGT-001', handingOn);
		session.ends('AGT-001');
		session.work();
		session.finishes('AGT-001');
		expect(decidedByPolicy(session)).toEqual(['d-1']);
		expect(session.kinds()).toEqual(['review']);
	});

	it('has a name where it says what the name says', () => {
		expect(namedPolicy({})).toBe('supervised');
		expect(namedPolicy({checkpoint: 'go', review: 'go', scope: 'ask'})).toBe('semi-autonomous');
		expect(namedPolicy({checkpoint: 'go'})).toEqual({checkpoint: 'go'});
		expect(namedPolicy({...policyIn('supervised'), scope: 'stop'})).toMatchObject({scope: 'stop'});
	});
});

describe('the table of supervision', () => {
	it('never lets a merge, a remote or an agent below an agent go on', () => {
		for (const row of [
			'approval',
			'remote',
			'agents',
			'violation',
			'conflict',
			'verify',
		] as const) {
			expect(Object.values(policy[row])).not.toContain('go on');
		}
	});
});

describe('a supervised plan', () => {
	it('decides nothing by itself', () => {
		const session = saying(checkpoint('Status: IN_PROGRESS'), ['AGT-001', 'AGT-002']);
		session.ends('AGT-001');
		session.finishes('AGT-002');
		expect(session.kinds()).toEqual(['checkpoint', 'review']);
		expect(decidedByPolicy(session)).toEqual([]);
	});
});

const sessionWith = (kind: 'approval' | 'verify' | 'conflict' | 'failure' | 'plan'): Given => {
	if (kind === 'plan') {
		return planned(['AGT-001'], semi);
	}

	const session = working(['AGT-001'], semi);
	if (kind === 'failure') {
		session.ends('AGT-001', {by: 'exit', code: 1});
		return session;
	}

	session.finishes('AGT-001');
	if (kind === 'conflict') {
		collide(session, {a: ['target'], b: ['AGT-001']});
	} else {
		build(session);
		verify(session, kind === 'approval');
	}

	return session;
};
