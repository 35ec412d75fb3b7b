import {describe, expect, test} from 'vitest';
import type {Model} from '../../src/client/model.ts';
import {working} from '../helpers/given.ts';
import {openItem, openScreen, small, type TestScreen} from './a-screen.ts';

const ask = (fields: string): string =>
	`[CLARIFICATION_NEEDED]\nquestions: [${fields}]\n[/CLARIFICATION_NEEDED]\n`;

const auth = '{question: Which auth?, options: [oauth, jwt]}';

/** A screen at the first question of two agents, each of which asked what is given for it. */
const atQuestions = (
	[one, other]: readonly [string, string?],
	known: Partial<Model> = {},
): TestScreen => {
	const session = working(['AGT-001', 'AGT-002']);
	session.says('AGT-001', ask(one));
	if (other !== undefined) {
		session.says('AGT-002', ask(other));
	}

	const screen = openScreen({state: session.state(), ...known}, {size: small});
	openItem(screen, 'question');
	return screen;
};

const requests = (screen: TestScreen) =>
	screen.effects().map(effect => (effect.do === 'ask' ? effect.request : effect));

describe('a question that another agent asks, too', () => {
	test('says so, and is answered for one', () => {
		const screen = atQuestions([auth, auth]);
		expect(screen.frame()).toContain('AGT-002 (q-2) asks the same; a answers all of them at once.');
		screen.press('2', 'enter');
		expect(requests(screen)).toEqual([{do: 'decide', item: 'q-1', choice: 'jwt', by: 'user'}]);
	});

	test('is answered for both by a key, which says so first', () => {
		const screen = atQuestions([auth, auth]);
		screen.press('a');
		expect(screen.frame()).toContain('Your answer is for AGT-002 (q-2), too.');
		screen.press('2', 'enter');
		expect(requests(screen)).toEqual([
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
		expect(requests(screen)).toEqual([{do: 'decide', item: 'q-1', choice: 'snooze', by: 'user'}]);
	});

	test('offers no such key when nobody else asks it', () => {
		const screen = atQuestions([auth]);
		screen.press('a');
		expect(screen.frame()).not.toContain('for all who ask it');
		expect(screen.frame()).not.toContain('too.');
	});
});
