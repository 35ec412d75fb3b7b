import {describe, expect, test} from 'vitest';
import type {Body} from '../../src/events/event.ts';
import {inbox} from '../../src/rules/inbox.ts';
import type {State} from '../../src/state/state.ts';
import {saying, working} from '../helpers/given.ts';
import {
	aDiff,
	grant,
	openAt,
	openItem,
	openScreen,
	readThrough,
	type TestScreen,
	whenFirst,
} from './a-screen.ts';

const checkpoint = async (): Promise<TestScreen> =>
	openAt('checkpoint', await whenFirst('questions-and-checkpoints', 'checkpoint'));

const decided = (choice: string, more: object = {}) => ({
	do: 'decide',
	item: 'cp-1',
	choice,
	by: 'user',
	...more,
});

describe('the keys of a checkpoint', () => {
	test.each([
		['c', 'continue'],
		['m', 'merge'],
	])('%s goes to %s, which Enter takes', async (key, choice) => {
		const screen = await checkpoint();
		screen.press(key, key);
		expect(screen.asked()).toEqual([]);
		expect(screen.frame()).toMatch(new RegExp(`▸${key}  ${choice} `));
		screen.press('enter');
		expect(screen.asked()).toEqual([decided(choice)]);
	});

	test('h asks for the advice first, which may have several lines', async () => {
		const screen = await checkpoint();
		screen.press('h');
		expect(screen.asked()).toEqual([]);
		screen.type('Use the clock');
		screen.press('alt+enter');
		screen.take({kind: 'paste', text: 'of the\r\nrequest'});
		expect(screen.frame()).toContain('  Use the clock');
		screen.press('enter');
		expect(screen.asked()).toEqual([decided('help', {note: 'Use the clock\nof the\nrequest'})]);
	});

	test('a asks whether it is meant, and takes only yes for a yes', async () => {
		const screen = await checkpoint();
		screen.press('a', 'enter');
		screen.press('a', 'n');
		expect(screen.asked()).toEqual([]);
		screen.press('a');
		expect(screen.frame()).toContain('End this for good?');
		screen.press('y');
		expect(screen.asked()).toEqual([decided('abort')]);
	});

	test('Tab writes a note that goes with the choice they stand at', async () => {
		const screen = await checkpoint();
		screen.press('1', 'tab');
		screen.type('fine');
		screen.press('enter');
		expect(screen.asked()).toEqual([decided('continue', {note: 'fine'})]);
	});

	test('what was being written is there again after leaving', async () => {
		const screen = await checkpoint();
		screen.press('h');
		screen.type('half a thou');
		screen.press('esc', 'esc', 'enter', 'h');
		screen.type('ght');
		screen.press('enter');
		expect(screen.asked()).toEqual([decided('help', {note: 'half a thought'})]);
	});

	test('what was refused keeps the words, what was granted lets them go', async () => {
		const screen = await checkpoint();
		screen.press('h');
		screen.type('advice');
		screen.press('enter');
		screen.take({kind: 'refused', text: 'cp-1 still waits.'});
		expect(screen.frame()).toContain('✘ cp-1 still waits.');
		expect(screen.context().view.drafts['cp-1']?.text).toBe('advice');
		grant(screen);
		expect(screen.context().view.drafts).toEqual({});
	});
});

const anotherSnapshot: Body = {
	kind: 'snapshot.taken',
	agent: 'AGT-002',
	number: 9,
	reason: 'a minute of change',
	commit: 'c9',
	tree: 't9',
	work: 'w9',
	files: 3,
	outside: [],
	claims: [],
};

describe('a key for something that has changed', () => {
	test('does nothing when the item is gone, and says so', async () => {
		const screen = await checkpoint();
		screen.happens({kind: 'user.decided', item: 'cp-1', choice: 'continue', by: 'user'});
		for (const key of ['c', 'm', 'h', 'a', 'enter', 'tab', 'z', '1']) {
			screen.press(key);
			expect([key, screen.notice()]).toEqual([key, expect.stringContaining('cp-1 is gone')]);
		}

		expect(screen.asked()).toEqual([]);
		expect(screen.frame()).toContain('cp-1 is gone');
	});

	test('does nothing the first time when the work under review is another, and says so', async () => {
		const screen = await checkpoint();
		screen.happens(anotherSnapshot);
		expect(screen.frame()).toContain('has changed since you opened it');
		screen.press('m');
		expect(screen.asked()).toEqual([]);
		expect(screen.notice()).toContain('cp-1 has changed since you opened it');
		screen.press('m', 'enter');
		expect(screen.asked()).toEqual([decided('merge')]);
	});

	test('does nothing the first time when another choice stands in the place of the selected one', () => {
		const session = working(['AGT-001', 'AGT-002', 'AGT-003']);
		session.finishes('AGT-001');
		session.finishes('AGT-002');
		const screen = openAt('review', {state: session.state()});
		readThrough(screen, aDiff);
		screen.press('down', 'down', 'down');
		expect(screen.frame()).toMatch(/▸f {2}feedback /);
		session.decide('r-2', 'merge');
		screen.learn({state: session.state()});
		screen.press('enter');
		expect(screen.asked()).toEqual([]);
		expect(screen.notice()).toContain('r-1 has changed since you opened it');
		screen.press('enter');
		expect(screen.asked()).toEqual([]);
		expect(screen.notice()).toContain('Go to a choice first');
	});

	test.each<readonly [string, Body]>([
		['has changed since you opened it', anotherSnapshot],
		['is gone', {kind: 'user.decided', item: 'cp-1', choice: 'continue', by: 'user'}],
	])(
		'does nothing when it is a yes to whether it is meant, and what it is about %s',
		async (told, happens) => {
			const screen = await checkpoint();
			screen.press('a');
			expect(screen.frame()).toContain('y yes   n no');
			screen.happens(happens);
			screen.press('y');
			expect(screen.asked()).toEqual([]);
			expect(screen.notice()).toContain(`cp-1 ${told}`);
			expect(screen.frame()).not.toContain('y yes   n no');
		},
	);

	test('does nothing when it is the text that was being written, and keeps the text', async () => {
		const screen = openAt('question', await whenFirst('questions-and-checkpoints', 'question'));
		screen.type('8080');
		screen.happens({kind: 'user.decided', item: 'q-1', choice: '1', by: 'user'});
		screen.press('enter');
		expect(screen.asked()).toEqual([]);
		expect(screen.notice()).toContain('q-1 is gone');
	});

	test('tells who was faster with a question, and with what', async () => {
		const screen = openAt('question', await whenFirst('questions-and-checkpoints', 'question'));
		screen.type('8080');
		const {state} = screen.context().model;
		const asked = state.items.find(({id}) => id === 'q-1');
		if (asked?.kind !== 'question') {
			throw new Error('It is not asked.');
		}

		const {agent, group, question} = asked;
		const at = {askedAt: state.at, deadline: state.at};
		const given = {answer: '1', by: 'web', from: 'the browser', responseMs: 1} as const;
		screen.happens({kind: 'user.decided', item: 'q-1', choice: '1', by: 'web'});
		screen.learn({
			questions: [
				{
					...{item: 'q-1', id: 'x', agent, group, question, escalated: false, ...at},
					closed: {how: 'answered', at: state.at, path: 'quick', ...given},
				},
			],
		});
		const told = 'q-1 no longer waits. Answered "1" from the browser.';
		expect(screen.frame()).toContain(told);
		screen.press('enter');
		expect(screen.notice()).toContain(told);
	});
});

describe('a question', () => {
	test('that takes any text is ready to be written into', async () => {
		const screen = openAt('question', await whenFirst('questions-and-checkpoints', 'question'));
		screen.type('q 8080?');
		screen.press('enter');
		expect(screen.asked()).toEqual([{do: 'decide', item: 'q-1', choice: 'q 8080?', by: 'user'}]);
	});

	test('with options takes the one gone to, and none before', async () => {
		const known = await whenFirst('questions-and-checkpoints', 'question');
		const screen = openAt('question', {...known, state: withOptions(known.state, false)});
		screen.press('enter');
		expect(screen.asked()).toEqual([]);
		screen.press('down', 'down', 'enter');
		expect(screen.asked()).toEqual([{do: 'decide', item: 'q-1', choice: 'two', by: 'user'}]);
	});

	test('that takes several sends those that were marked', async () => {
		const known = await whenFirst('questions-and-checkpoints', 'question');
		const screen = openAt('question', {...known, state: withOptions(known.state, true)});
		screen.press('1', 'space', '3', 'space', '2', 'space', 'space', 'enter');
		expect(screen.asked()).toEqual([{do: 'decide', item: 'q-1', choice: 'one, three', by: 'user'}]);
	});
});

const withOptions = (state: State, multi: boolean) => ({
	...state,
	items: state.items.map(item =>
		item.kind === 'question'
			? {
					...item,
					question: {
						...item.question,
						type: 'choice' as const,
						options: ['one', 'two', 'three'],
						multi,
					},
				}
			: item,
	),
});

describe('what needs care', () => {
	test('two Enters from the board approve nothing', async () => {
		const screen = openScreen(await whenFirst('check-fails', 'approval'));
		screen.press('enter', 'enter', 'enter');
		expect(screen.context().view.place).toMatchObject({at: 'item', item: 'a-1'});
		expect(screen.asked()).toEqual([]);
		readThrough(screen, aDiff);
		screen.press('y', 'enter');
		expect(screen.asked()).toEqual([{do: 'decide', item: 'a-1', choice: 'approve', by: 'user'}]);
	});

	test('a choice that can’t be taken now is greyed with the sentence of the rules', async () => {
		const known = await whenFirst('conflict-by-hand', 'conflict');
		const state = {...known.state, merge: {phase: 'none'}} as const;
		const screen = openAt('conflict', {...known, state});
		const refused = inbox(state)[0]?.choices[0]?.whyNot ?? 'nothing';
		expect(screen.frame()).toContain(`unavailable: ${refused.slice(0, 20)}`);
		screen.press('m');
		expect(screen.notice()).toBe(refused);
		expect(screen.asked()).toEqual([]);
	});

	test('ending the session asks first', async () => {
		const screen = openScreen(await whenFirst('check-fails', 'approval'));
		screen.press('X');
		expect(screen.frame()).toContain('End the session?');
		screen.press('n');
		expect(screen.asked()).toEqual([]);
		screen.press('X', 'y');
		expect(screen.asked()).toEqual([{do: 'stop'}]);
	});

	test('an empty note is not sent', async () => {
		const screen = await checkpoint();
		screen.press('h', 'space', 'enter');
		expect(screen.asked()).toEqual([]);
		expect(screen.notice()).toBe('There is nothing to send yet.');
	});
});

test('x at a blocker asks for a command first, and has it run; t has the agent try again', async () => {
	const screen = openAt('blocker', await whenFirst('blockers-and-requests', 'blocker'));
	screen.press('x');
	expect(screen.frame()).toContain('Your note, with "run"');
	screen.press('enter');
	expect(screen.asked()).toEqual([]);
	screen.type('npm ci');
	screen.press('enter');
	openItem(screen, 'blocker');
	screen.press('t', 'enter');
	const item = 'b-1';
	expect(screen.asked()).toEqual([
		decided('run', {item, note: 'npm ci'}),
		decided('retry', {item}),
	]);
});

test.each([
	['questions-and-checkpoints', 'plan', 'e', {what: 'plan', item: 'p-1'}],
	['questions-and-checkpoints', 'question', '+', {what: 'subtask', words: ''}],
	['blockers-and-requests', 'delegation', 'e', {what: 'handed on', choice: 'edit'}],
	['crashes-and-retries', 'failure', 'd', {what: 'handed on', choice: 'redistribute'}],
] as const)('in %s, with a %s, %s opens the form of a plan', async (name, kind, key, compose) => {
	const screen = openScreen(await whenFirst(name, kind));
	if (key !== '+') {
		openItem(screen, kind);
	}

	screen.press(key);
	expect(screen.asked()).toMatchObject([{do: 'compose', compose}]);
});

test('a command, and words for the agent, are each written in a field of their own', () => {
	const session = saying(
		'[STOP_WORK]\ndetails: No database.\nresume_requirements: "Run `npm run db`"\n[/STOP_WORK]\n',
	);
	session.work();
	const screen = openAt('blocker', {state: session.state()});
	screen.press('r');
	screen.type('rm it all');
	screen.press('esc', 'x');
	expect(screen.frame()).toContain('npm run db');
	screen.press('esc', 'r');
	expect(screen.frame()).toContain('rm it all');
	screen.press('esc', 'x', 'enter');
	expect(screen.asked()).toMatchObject([{choice: 'run', note: 'npm run db'}]);
});
