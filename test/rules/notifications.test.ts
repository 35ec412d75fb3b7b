import {describe, expect, it} from 'vitest';
import {asOne, isWanted, notificationsSince} from '../../src/rules/notifications.ts';
import {emptyState} from '../../src/state/state.ts';
import {completed, type Given, working} from '../helpers/given.ts';

const asking = (fields: string): {before: ReturnType<Given['state']>; session: Given} => {
	const session = working(['AGT-001']);
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
					/^Which port\?\ndelegate-tui answer q-1\nit waits \S+, and is parked then until you answer$/,
				),
				urgent: false,
			},
		]);
	});

	it('once: what waits already calls nobody again', () => {
		const {session} = asking('question: Which port?');
		const before = session.state();
		session.wait(1000);
		expect(notificationsSince(before, session.state())).toEqual([]);
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
			text: 'a question from AGT-001\na question from AGT-001',
			urgent: true,
		});
		expect(asOne([])).toBeUndefined();
	});
});

describe('what a person wishes', () => {
	const call = {occasion: 'question', title: '', text: '', urgent: false} as const;
	const [night, noon] = [23 * 60, 12 * 60];

	it('may be to be called for some kinds only', () => {
		expect(isWanted({kinds: ['approval']}, call, noon)).toBe(false);
		expect(isWanted({kinds: ['approval', 'question']}, call, noon)).toBe(true);
		expect(isWanted({}, call, noon)).toBe(true);
	});

	it.each([
		['over midnight', {from: 22 * 60, to: 7 * 60}, true, false],
		['within a day', {from: 11 * 60, to: 13 * 60}, false, true],
	])('may be quiet %s, but for what is urgent', (_, quiet, quietAtNight, quietAtNoon) => {
		expect(isWanted({quiet}, call, night)).toBe(!quietAtNight);
		expect(isWanted({quiet}, call, noon)).toBe(!quietAtNoon);
		expect(isWanted({quiet}, {...call, urgent: true}, night)).toBe(true);
		expect(isWanted({quiet}, {...call, urgent: true}, noon)).toBe(true);
	});
});
