import {describe, expect, it} from 'vitest';
import {awakeLater} from '../../../src/events/deadline.ts';
import type {Event} from '../../../src/events/event.ts';
import {inbox} from '../../../src/rules/inbox.ts';
import {recordsOf} from '../../../src/rules/question-record.ts';
import {fold} from '../../../src/state/apply/apply.ts';
import {asking, type Given, saying, working} from '../../helpers/given.ts';
import {subtask} from '../../helpers/plan.ts';

const ask = (questions: string): string => asking(`questions: [${questions}]`);

const auth = '{question: Which auth?, options: [oauth, jwt]}';

/** An agent that waits in its turn for an answer. */
const waiting = (questions = auth): Given => {
	const agent = {protocol: 'text', command: ['agent'], reply: 'stdin'} as const;
	const session = working([subtask('AGT-001', {agent})], {settings: {quickMs: 300_000}});
	session.says('AGT-001', ask(questions));
	return session;
};

const shown = (session: Given) => {
	const [item] = inbox(session.state());
	return item?.kind === 'question' ? item : undefined;
};

describe('the clock of a question', () => {
	it('parks the agent when it has run out, and does not while a person has stopped it', () => {
		const session = waiting();
		expect(session.timer('grace:')).toBeDefined();
		session.decide('q-1', 'pause-clock');
		expect(session.timer('grace:')).toBeUndefined();
		session.wait(86_400_000);
		session.decide('q-1', 'jwt');
		expect(session.keys()).toEqual(['reply:AGT-001:q-1']);
		expect(recordsOf(session.events())).toMatchObject([{closed: {answer: 'jwt', path: 'quick'}}]);
	});

	it('goes on where it stood', () => {
		const session = waiting();
		const {deadline} = session.item('question');
		session.decide('q-1', 'pause-clock');
		session.wait(3_600_000);
		session.decide('q-1', 'resume-clock');
		// The given session moves by a second with each thing that it is told.
		expect(session.item('question').deadline).toBe(awakeLater(deadline, 3_600_000 + 1000));
		session.pass('grace:AGT-001');
		expect(session.keys()).toContain('end-turn:AGT-001:1');
	});

	it('is one for all questions of a group', () => {
		const session = waiting(`${auth}, {question: Which port?}`);
		session.decide('q-2', 'pause-clock');
		expect(inbox(session.state()).map(item => 'paused_at' in item)).toEqual([true, true]);
	});

	it('is shown as stopped in place of when it ends, and stopping it is offered only where it can be', () => {
		const session = waiting();
		const choices = () => shown(session)?.choices.map(({choice}) => choice);
		expect(choices()).toEqual(['oauth', 'jwt', 'snooze', 'pause-clock']);
		session.decide('q-1', 'pause-clock');
		expect(choices()).toEqual(['oauth', 'jwt', 'snooze', 'resume-clock']);
		expect(shown(session)).toMatchObject({paused_at: session.events().at(-1)?.at});
		expect(shown(session)?.deadline).toBeUndefined();
	});

	it('is stopped for whoever folds the journal', () => {
		const session = waiting();
		session.decide('q-1', 'pause-clock');
		const folded = fold(session.events().map((event): Event => JSON.parse(JSON.stringify(event))));
		expect(folded).toEqual(session.state());
	});

	it('is stopped once, and goes on only if it is stopped', () => {
		const session = waiting();
		const turn = (choice: string) => session.refusal('q-1', choice);
		expect(turn('resume-clock')).toBe('The clock of q-1 is not paused.');
		session.decide('q-1', 'pause-clock');
		expect(turn('pause-clock')).toBe('The clock of q-1 is paused already.');
	});
});

describe('what can’t be held', () => {
	const whyNot = (session: Given): string | undefined => session.refusal('q-1', 'pause-clock');

	it('is an agent that is parked', () => {
		const session = waiting();
		session.pass('grace:AGT-001');
		session.ends('AGT-001');
		expect(whyNot(session)).toBe(
			'q-1 has no clock: AGT-001 is paused, and goes on with your answer whenever you give it.',
		);
	});

	it('is an agent that ends its turn when it has asked', () => {
		const session = saying(ask(auth));
		expect(whyNot(session)).toMatch(/^AGT-001 ends its turn when it has asked; /);
	});

	const inCall = (quickMs: number): Given => {
		const session = working(['AGT-001'], {settings: {quickMs}});
		session.says('AGT-001', ask(auth), {by: 'tool'});
		return session;
	};

	it('is a call for longer than its client bears', () => {
		expect(whyNot(inCall(1_200_000))).toMatch(
			/^AGT-001 waits in a call of a tool, which is held for eight minutes at most/,
		);
		const short = inCall(10_000);
		const asked = short.item('question').asked;
		expect(short.agent('AGT-001').listening).toMatchObject([{until: awakeLater(asked, 4000)}]);
		expect(whyNot(short)).toBeUndefined();
		expect(short.agent('AGT-001').listening).toMatchObject([{until: awakeLater(asked, 480_000)}]);
	});

	it('is an agent that looks for its answer itself', () => {
		const session = working(['AGT-001']);
		const file = {id: 'workflow_1_q1', owner: 1};
		session.says('AGT-001', ask(auth), {by: 'file', file});
		expect(whyNot(session)).toMatch(
			/^AGT-001 looks for its answer in a file, for as long as it chose/,
		);
	});
});
