import {describe, expect, it} from 'vitest';
import type {Subtask} from '../../src/events/plan.ts';
import {asOne, isWanted, notificationsSince} from '../../src/rules/notifications.ts';
import {emptyState} from '../../src/state/state.ts';
import {completed, type Given, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';

const listening = {protocol: 'text', command: ['agent'], reply: 'stdin'} as const;

const asking = (
	fields: string,
	agent: Subtask['agent'] = listening,
): {before: ReturnType<Given['state']>; session: Given} => {
	const settings = {quickMs: 480_000, questionsHome: '/home/ada/.claude'};
	const session = working([subtask('AGT-001', {agent})], {settings});
	const before = session.state();
	session.says(
		'AGT-001',
		`[CLARIFICATION_NEEDED]\nquestions:\n  - {${fields}}\n[/CLARIFICATION_NEEDED]\n`,
	);
	session.work();
	return {before, session};
};

describe('a person is called', () => {
	it('for a question, with what it asks, how to answer and how long it waits', () => {
		const {before, session} = asking('question: Which port?');
		expect(notificationsSince(before, session.state())).toEqual([
			{
				occasion: 'question',
				title: 'delegate-tui: a question from AGT-001',
				text: expect.stringMatching(
					/^Which port\?\ndelegate-tui answer q-1\n\/home\/ada\/.claude\/answers\/DEL-\S+_AGT-001_q-1.txt\nit waits for \S+, then it is paused; your answer counts either way$/,
				),
				brief: 'q-1 AGT-001 Which port?',
				urgent: false,
			},
		]);
	});

	it('without a time where no time counts: an agent that ends its turn waits for none', () => {
		const {before, session} = asking('question: Which port?', {
			protocol: 'text',
			command: ['agent'],
		});
		const [{text} = {text: ''}] = notificationsSince(before, session.state());
		expect(text).toMatch(/\nit is paused, and goes on with your answer, whenever you give it$/);
	});

	it('once: what waits already calls nobody again', () => {
		const {session} = asking('question: Which port?');
		const before = session.state();
		session.wait(1000);
		expect(notificationsSince(before, session.state())).toEqual([]);
	});

	it('for finished work, with what it delivered, what it measured, what was wanted, and what comes next', () => {
		const session = working([{...subtask('AGT-001'), metrics: ['coverage ≥ 90 %', 'p99 < 1 ms']}]);
		const before = session.state();
		session.says(
			'AGT-001',
			`[COMPLETION_REPORT]
status: success
deliverables: [src/a.ts, src/b.ts]
metrics_achieved: {coverage: 61 %, p99: 0.4 ms}
recommendations: [Cache the clock, Measure again]
[/COMPLETION_REPORT]
`,
		);
		session.ends('AGT-001');
		const [{text} = {text: ''}] = notificationsSince(before, session.state());
		expect(text.split('\n').slice(1)).toEqual([
			'it says it delivered src/a.ts, src/b.ts',
			'it measured coverage: 61 %; p99: 0.4 ms',
			'wanted: coverage ≥ 90 % and 1 more',
			'next: Cache the clock',
			'delegate-tui answer r-1',
		]);
	});

	it('for finished work, and for the end of the session', () => {
		const session = completed(['AGT-001']);
		expect(notificationsSince(emptyState, session.state())).toMatchObject([
			{occasion: 'review', title: 'delegate-tui: finished work from AGT-001'},
		]);
		const before = session.state();
		session.ask({kind: 'stop'});
		session.work();
		expect(notificationsSince(before, session.state())).toMatchObject([
			{occasion: 'ended', title: 'delegate-tui: the session has ended'},
		]);
	});

	it('in words that can do nothing to a terminal', () => {
		const {before, session} = asking(String.raw`question: "Which\e]0;port\a?"`);
		const [notification] = notificationsSince(before, session.state());
		expect(notification?.text).toMatch(/^Which␛\]0;port␇\?\n/);
	});

	it('once for all that comes together', () => {
		const {before, session} = asking(
			'question: Which port?}\n  - {question: Which host?, urgent: true',
		);
		expect(asOne(notificationsSince(before, session.state()))).toMatchObject({
			title: 'delegate-tui: 2 things need you',
			text: 'q-2 AGT-001 Which host?\nq-1 AGT-001 Which port?\ndelegate-tui inbox',
			urgent: true,
		});
		expect(asOne([])).toBeUndefined();
	});
});

describe('what a person prefers', () => {
	const call = {occasion: 'question', title: '', text: '', brief: '', urgent: false} as const;

	it('may be to be called for some kinds only', () => {
		expect(isWanted({kinds: ['approval']}, call)).toBe(false);
		expect(isWanted({kinds: ['approval', 'question']}, call)).toBe(true);
		expect(isWanted({}, call)).toBe(true);
	});
});
