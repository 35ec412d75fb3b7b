import {describe, expect, test} from 'vitest';
import type {State} from '../../src/state/state.ts';
import {asking, asks, working} from '../helpers/given.ts';
import {having, large, openAt, small, type TestScreen} from './a-screen.ts';

const stateAsking = (fields: string, more = ''): State => {
	const session = working(['AGT-001', 'AGT-002']);
	session.says('AGT-001', asking(`questions: [${fields}]${more}`));
	return session.state();
};

const auth = '{question: Which auth?, options: [oauth, jwt]}';
const port = '{question: Which port?, type: number}';
const extras =
	'{question: Which extras?, options: [metrics, tracing], multi: true, required: false}';
const three = `${auth}, ${port}, ${extras}`;

const atForm = (state = stateAsking(three), size = small): TestScreen =>
	openAt('question', {state}, {size});

const answers = (...pairs: readonly (readonly [string, string])[]) => ({
	do: 'answer',
	by: 'user',
	answers: pairs.map(([item, choice]) => ({item, choice})),
});

/** Answers all three questions. */
const answerAll = (screen: TestScreen): void => {
	screen.press('2', 'enter', 'enter');
	screen.type('8080');
	screen.press('enter', '1', 'space', '2', 'space', 'enter');
};

describe('several questions of one agent', () => {
	test.each([
		['small', small],
		['large', large],
	])('are on one screen, with what is required, on a %s one', (_, size) => {
		const screen = atForm(stateAsking(three), size);
		expect(screen.frame()).toMatch(/AGT-001 {2}asks 3 questions at once {2}0 answered/);
		expect(screen.frame()).toMatch(/q-1 +required +Which auth\?/);
		expect(screen.frame()).toMatch(/q-2 +required +Which port\?/);
		expect(screen.frame()).toMatch(/q-3 +optional +Which extras\?/);
		expect(screen.frame()).toContain('Give these answers');
		expect(screen.frame()).toMatch(/1 +oauth/);
	});

	test('are answered one after the other, and given together with one more Enter', () => {
		const screen = atForm();
		answerAll(screen);
		expect(screen.asked()).toEqual([]);
		expect(screen.frame()).toContain('Enter gives these answers.');
		expect(screen.frame()).toContain('metrics, tracing');
		screen.press('enter');
		expect(screen.asked()).toEqual([
			answers(['q-1', 'jwt'], ['q-2', '8080'], ['q-3', 'metrics, tracing']),
		]);
	});

	test('are not said to be sent while the others are to come', () => {
		const screen = atForm();
		screen.press('tab', 'enter');
		screen.type('8080');
		expect(screen.frame()).toMatch(/\n ⏎ keep .*\n?$/);
	});

	test('are gone through by Tab and by ↑ and ↓, which leave nothing out', () => {
		const screen = atForm();
		const at = (): string | undefined => {
			const {place} = screen.context().view;
			return place.at === 'questions' ? (place.item ?? 'end') : undefined;
		};
		const seen = [at()];
		for (const _ of [1, 2, 3, 4]) {
			screen.press('tab');
			seen.push(at());
		}

		expect(seen).toEqual(['q-1', 'q-2', 'q-3', 'end', 'end']);
		screen.press('shift+tab', 'shift+tab', 'shift+tab');
		expect(at()).toBe('q-1');
		// Two options, and to look at it later.
		screen.press('down', 'down', 'down', 'down');
		expect(at()).toBe('q-2');
		screen.press('up');
		expect(at()).toBe('q-1');
	});

	test('may be left in the middle, and nothing of it is lost', () => {
		const screen = atForm();
		screen.press('2', 'enter', 'enter');
		screen.type('80');
		screen.press('esc', 'esc', 'enter');
		expect(screen.frame()).toContain('→ jwt');
		screen.press('tab', 'enter');
		screen.type('81');
		screen.press('enter');
		expect(screen.frame()).toContain('→ 8081');
	});

	test('take back what was answered', () => {
		const screen = atForm();
		screen.press('2', 'enter', 'shift+tab', 'backspace');
		expect(screen.frame()).not.toContain('→ jwt');
	});

	test('ask first where one stays open that the agent needs, and not where it doesn’t', () => {
		const screen = atForm();
		screen.press('2', 'enter', 'tab', 'tab', 'enter');
		expect(screen.frame()).toContain('q-2 stays open, and AGT-001 goes on only with an answer');
		screen.press('y');
		expect(screen.asked()).toEqual([answers(['q-1', 'jwt'])]);
		const lenient = atForm(stateAsking(`${auth}, ${extras}`));
		lenient.press('2', 'enter', 'tab', 'enter');
		expect(lenient.asked()).toEqual([answers(['q-1', 'jwt'])]);
	});

	test('need no answer but one where the agent says so', () => {
		const screen = atForm(stateAsking(`${auth}, ${port}`, '\nall_required: false'));
		expect(screen.frame()).toMatch(/q-2 +any +Which port\?/);
		screen.press('2', 'enter', 'tab', 'enter');
		expect(screen.asked()).toEqual([answers(['q-1', 'jwt'])]);
	});

	test('tell at once what is no answer', () => {
		const screen = atForm();
		screen.press('tab', 'enter');
		screen.type('many');
		screen.press('enter');
		expect(screen.notice()).toBe('"many" is not a number.');
		expect(screen.frame()).toContain('many');
	});

	test('give nothing before anything is answered', () => {
		const screen = atForm();
		screen.press('tab', 'tab', 'tab', 'enter');
		expect(screen.notice()).toBe('Nothing is answered yet.');
	});

	test('are put off together', () => {
		const screen = atForm();
		screen.press('z');
		expect(screen.asked()).toMatchObject([{item: 'q-1'}, {item: 'q-2'}, {item: 'q-3'}]);
	});

	test('of which one is answered elsewhere are the others, and those alone are given', () => {
		const screen = atForm();
		answerAll(screen);
		const elsewhere = {kind: 'user.decided', item: 'q-1', choice: 'oauth', by: 'user'} as const;
		screen.happens(elsewhere);
		expect(screen.frame()).toContain('q-1 no longer waits.');
		screen.press('enter');
		expect(screen.asked()).toEqual([answers(['q-2', '8080'], ['q-3', 'metrics, tracing'])]);
	});

	test.each([[[]], [['w', 'm']]])(
		'are not given by an Enter that was for a question which is gone, after %j',
		keys => {
			const screen = atForm(stateAsking(`${auth}, {question: Which base?, required: false}`));
			screen.press('2', 'enter', ...keys);
			screen.happens({kind: 'user.decided', item: 'q-2', choice: 'main', by: 'user'});
			screen.press('enter');
			expect(screen.asked()).toEqual([]);
			expect(screen.notice()).toBe('q-2 no longer waits. Nothing was done.');
			screen.press('enter');
			expect(screen.asked()).toEqual([answers(['q-1', 'jwt'])]);
		},
	);
});

test('the last question of a group is a question like any other', () => {
	const state = having(stateAsking(`${auth}, ${port}`), {
		kind: 'user.decided',
		item: 'q-2',
		choice: '1',
		by: 'user',
	});
	const screen = atForm(state);
	screen.press('2', 'enter');
	expect(screen.asked()).toEqual([{do: 'decide', item: 'q-1', choice: 'jwt', by: 'user'}]);
});

test('what an agent asks steers no terminal, and an answer of several lines is shown whole', () => {
	const attack = '"\\e[2J\\e]0;owned\\a\\u202eevil\\r\\nnext"';
	const screen = atForm(stateAsking(`{question: ${attack}}, {question: ${attack}}`));
	for (const keys of [[], ['enter'], ['alt+enter', 'x', 'enter'], ['tab', 'tab']]) {
		screen.press(...keys);
		expect(screen.frame()).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
		expect(screen.frame().split('\n')).toHaveLength(small.rows);
	}
});

test('the answers name who else gets them before they are given', () => {
	const session = working(['AGT-001', 'AGT-002']);
	session.says('AGT-001', asks(`${auth}, ${port}`));
	session.says('AGT-002', asks(auth));
	const screen = atForm(session.state());
	screen.press('a', '2', 'enter', 'tab');
	expect(screen.frame()).toContain('q-1, and q-3 of AGT-002');
	screen.press('enter', 'y');
	expect(screen.asked()).toEqual([answers(['q-1', 'jwt'], ['q-3', 'jwt'])]);
});
