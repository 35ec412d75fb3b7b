import {expect, it} from 'vitest';
import {type Given, report, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';

const spending = (): Given => working([subtask('AGT-001', {tokens: 1000})]);

const uses = (session: Given, tokens: number): void =>
	session.tell({kind: 'tokens.counted', agent: 'AGT-001', turn: 1, tokens});

it('of tokens is asked about while the agent goes on, once most of it is used up', () => {
	const session = spending();
	uses(session, 799);
	expect(session.kinds()).toEqual([]);
	uses(session, 800);
	uses(session, 900);
	expect(session.state().items).toMatchObject([{kind: 'limit', of: 'tokens-near'}]);
	expect(session.keys()).toEqual([]);
});

it('of tokens pauses the agent when it is used up, and a person can extend it', () => {
	const session = spending();
	uses(session, 2500);
	session.work();
	expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
	expect(session.state().items).toMatchObject([{kind: 'limit', of: 'tokens'}]);
	session.decide('l-1', 'extend');
	session.work();
	expect(session.stateOf('AGT-001')).toBe('RUNNING');
	expect(session.agent('AGT-001').tokenBudget).toBe(4000);
});

it('of tokens does not matter to an agent that is done', () => {
	const session = spending();
	session.says('AGT-001', report('success'));
	uses(session, 2500);
	session.ends('AGT-001');
	expect(session.kinds()).toEqual(['review']);
});

it('of tokens is nobody’s where the plan names none', () => {
	const session = working(['AGT-001']);
	uses(session, 1_000_000);
	expect(session.kinds()).toEqual([]);
});
