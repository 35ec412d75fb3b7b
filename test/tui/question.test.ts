import {describe, expect, test} from 'vitest';
import type {Model} from '../../src/client/model.ts';
import {learned} from '../../src/rules/question-record.ts';
import {asks, type Given, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';
import {openAt, openScreen, small, type TestScreen} from './a-screen.ts';

const auth = '{question: Which auth?, options: [oauth, jwt]}';

/** A screen at the first question of two agents, each of which asked what is given for it. */
const atQuestions = (
	[one, other]: readonly [string, string?],
	known: Partial<Model> = {},
): TestScreen => {
	const session = working(['AGT-001', 'AGT-002']);
	session.says('AGT-001', asks(one));
	if (other !== undefined) {
		session.says('AGT-002', asks(other));
	}

	return openAt('question', {state: session.state(), ...known}, {size: small});
};

describe('a question that another agent asks, too', () => {
	test('says so, and is answered for one', () => {
		const screen = atQuestions([auth, auth]);
		expect(screen.frame()).toContain(
			'AGT-002 asks the same (q-2); a gives your answer to all who ask',
		);
		screen.press('2', 'enter');
		expect(screen.asked()).toEqual([{do: 'decide', item: 'q-1', choice: 'jwt', by: 'user'}]);
	});

	test('is answered for both by a key, which says so first', () => {
		const screen = atQuestions([auth, auth]);
		screen.press('a');
		expect(screen.frame()).toContain('AGT-002 asks the same (q-2); your answer is for all of them');
		screen.press('2', 'enter');
		expect(screen.asked()).toEqual([
			{
				do: 'answer',
				by: 'user',
				answers: [
					{item: 'q-1', choice: 'jwt'},
					{item: 'q-2', choice: 'jwt'},
				],
			},
		]);
	});

	test('is put off for one only', () => {
		const screen = atQuestions([auth, auth]);
		screen.press('a', 'z');
		expect(screen.asked()).toEqual([{do: 'decide', item: 'q-1', choice: 'snooze', by: 'user'}]);
	});

	test('offers no such key when nobody else asks it', () => {
		const screen = atQuestions([auth]);
		screen.press('a');
		expect(screen.frame()).not.toContain('for all');
		expect(screen.frame()).not.toContain('too.');
	});
});

describe('an answer that is checked', () => {
	const sent = (...letters: readonly string[]): TestScreen => {
		const screen = atQuestions(['{question: How many?, type: number}']);
		for (const [index, key] of letters.entries()) {
			screen.take({kind: 'key', key, at: 10_000 + index * 200});
		}

		return screen;
	};

	const many = ['m', 'a', 'n', 'y', 'enter'];

	test('is mended right there when it is refused', () => {
		const screen = sent(...many);
		screen.take({kind: 'refused', text: '"many" is not a number.'});
		expect(screen.frame()).toContain('"many" is not a number.');
		screen.take({kind: 'key', key: 'ctrl+u', at: 11_000});
		screen.take({kind: 'key', key: '7', at: 11_200});
		screen.take({kind: 'key', key: 'enter', at: 11_400});
		expect(screen.asked()).toEqual(
			['many', '7'].map(choice => ({do: 'decide', item: 'q-1', choice, by: 'user'})),
		);
	});

	test('leads on once it is taken, and what is typed on meanwhile does nothing', () => {
		const screen = sent(...many, 'x');
		expect(screen.context().view.place.at).toBe('item');
		screen.take({kind: 'granted', item: 'q-1', text: 'q-1: many'});
		screen.take({kind: 'key', key: 'x', at: 11_200});
		expect(screen.context().view).toMatchObject({place: {at: 'board'}, dialog: {kind: 'none'}});
		expect(screen.effects()).toHaveLength(1);
	});
});

describe('the clock of a question', () => {
	const waiting = (): Given => {
		const agent = {protocol: 'text', command: ['agent'], reply: 'stdin'} as const;
		const session = working([subtask('AGT-001', {agent})]);
		session.says('AGT-001', asks(auth));
		return session;
	};

	test('runs on the board, too', () => {
		const session = waiting();
		const board = openScreen({state: session.state()}, {size: small}).frame();
		expect(board).toMatch(/waits for you: q-1 question {2}paused in \dm/);
	});

	test('tells what is left of it after a night that the machine slept through', () => {
		const session = waiting();
		session.sleep(8 * 3_600_000);
		session.tell({kind: 'snapshot.restored', agent: 'AGT-001', number: 1});
		const screen = openAt('question', {state: session.state()}, {size: small});
		expect(screen.frame()).toContain('it waits for 3m more');
	});
});

describe('what to look at before answering', () => {
	test('is what the agent was doing, and the way leads back to the question', () => {
		const screen = atQuestions([auth], {tails: {'AGT-001': ['reads the login code']}});
		screen.press('2', 'o');
		expect(screen.frame()).toContain('reads the login code');
		screen.press('esc', 'enter');
		expect(screen.asked()).toEqual([{do: 'decide', item: 'q-1', choice: 'jwt', by: 'user'}]);
	});

	test('is its work so far, pinned as it is now', () => {
		const screen = atQuestions([auth]);
		screen.press('d');
		expect(screen.frame()).toContain('diff of its last snapshot');
		expect(screen.asked()).toEqual([{do: 'capture', agent: 'AGT-001'}]);
		screen.press('esc');
		expect(screen.frame()).toContain('Which auth?');
	});

	test('is what was answered before, of which words are looked for', () => {
		const session = working(['AGT-001', 'AGT-002']);
		session.says('AGT-001', asks(auth));
		session.says('AGT-001', asks('{question: Which port?}'));
		session.says('AGT-002', asks('{question: Which colour?}'));
		session.decide('q-1', 'jwt');
		session.decide('q-2', '8080');
		const {state, records} = learned(session.events());
		const screen = openScreen({state, questions: records}, {size: small});
		screen.press('i', 'enter', 'esc', 'h');
		expect(screen.frame()).toMatch(/Which colour\?.*waits for an answer.*→ 8080.*→ jwt/s);
		screen.press('&');
		screen.type('JWT');
		expect(screen.frame()).toContain('→ jwt');
		expect(screen.frame()).not.toContain('→ 8080');
		screen.press('enter');
		expect(screen.frame()).toContain('Questions and answers  with "JWT"');
		screen.press('esc');
		expect(screen.frame()).toContain('Which colour?');
	});
});
