import {describe, expect, test} from 'vitest';
import type {BodyOf} from '../../src/events/event.ts';
import type {State} from '../../src/state/state.ts';
import {working} from '../helpers/given.ts';
import {grant, openScreen, replay, type TestScreen} from './a-screen.ts';

const board = (state: State = working(['AGT-001', 'AGT-002']).state()): TestScreen =>
	openScreen({state});

describe('x, on the board and at an agent', () => {
	test('asks whether the agent is to be ended, and takes only yes for a yes', () => {
		const screen = board();
		screen.press('x', 'n');
		screen.press('right', 'x');
		expect(screen.frame()).toContain(
			'End AGT-002 for good? Its work is kept, not merged; the others go on.',
		);
		expect(screen.asked()).toEqual([]);
		screen.press('y');
		expect(screen.asked()).toEqual([{do: 'steer', agent: 'AGT-002', order: {verb: 'stop'}}]);
		expect(screen.frame()).toContain('AGT-002 is being stopped');
	});

	test('says that the session ends with the last one', () => {
		const screen = board(working(['AGT-001']).state());
		screen.press('o', 'x');
		expect(screen.frame()).toContain('the session ends with it.');
	});

	test('says why it can’t be done', () => {
		const session = working(['AGT-001', 'AGT-002']);
		session.ask({kind: 'steer', agent: 'AGT-001', order: {verb: 'stop'}});
		const screen = board(session.state());
		screen.press('x');
		expect(screen.notice()).toBe('AGT-001 is being stopped.');
		expect(screen.asked()).toEqual([]);
	});
});

describe('w, on the board and at an agent', () => {
	test('writes to the agent, and tells when that is read', () => {
		const screen = board();
		screen.press('w');
		screen.type('use the clock');
		expect(screen.frame()).toContain(
			'Your message to AGT-001, which reads it once its turn has ended',
		);
		expect(screen.frame()).toContain('use the clock');
		screen.press('enter');
		const order = {verb: 'message', text: 'use the clock'};
		expect(screen.asked()).toEqual([{do: 'steer', agent: 'AGT-001', order}]);
		expect(screen.notice()).toBe('AGT-001 is told once its turn has ended …');
	});

	test('tells that it is read in the turn where the agent takes words there', () => {
		const session = working(['AGT-001']);
		const started = session.events().find(({kind}) => kind === 'turn.started');
		session.tell({...(started as BodyOf<'turn.started'>), takesWords: true});
		const screen = board(session.state());
		screen.press('w');
		screen.type('use the clock');
		expect(screen.frame()).toContain('which reads it as soon as it has ended what it is doing');
	});

	test('switches the agent by /model and a name, and writes nothing', () => {
		const screen = board();
		screen.press('w');
		screen.type('/model opus');
		screen.press('enter');
		const order = {verb: 'switch', what: 'model', to: 'opus'};
		expect(screen.asked()).toEqual([{do: 'steer', agent: 'AGT-001', order}]);
	});

	test('completes the commands that the agent announced, and says what one is before it is sent', () => {
		const session = working(['AGT-001']);
		const commands = [
			{name: 'compact', description: 'Summarize the conversation'},
			{name: 'context', description: 'Show what is in it'},
			...['a', 'b', 'c', 'd', 'e'].map(name => ({name, description: ''})),
		];
		session.tell({kind: 'commands.announced', agent: 'AGT-001', commands});
		const screen = board(session.state());
		screen.press('w');
		screen.type('/');
		expect(screen.frame()).toContain('3 more; go on typing');
		screen.type('com');
		expect(screen.frame()).toContain('/compact  Summarize the conversation');
		expect(screen.frame()).not.toContain('/context');
		screen.press('tab');
		screen.type('the tests');
		expect(screen.frame()).toContain('A command of AGT-001’s own; it may change what it asks');
		screen.press('enter');
		const order = {verb: 'message', text: '/compact the tests', command: true};
		expect(screen.asked()).toEqual([{do: 'steer', agent: 'AGT-001', order}]);
	});

	test('writes what begins with a / as words where the agent announced no such command', () => {
		const screen = board();
		screen.press('w');
		screen.type('/compact');
		expect(screen.frame()).toContain('Your message to AGT-001');
		screen.press('enter');
		expect(screen.asked()).toMatchObject([{order: {verb: 'message', text: '/compact'}}]);
		expect(JSON.stringify(screen.asked())).not.toContain('"command"');
	});

	test('W cuts its turn short for it', () => {
		const screen = board();
		screen.press('W');
		screen.type('stop that');
		expect(screen.frame()).toContain('its turn is cut short for it');
		screen.press('enter');
		expect(screen.asked()).toMatchObject([
			{order: {verb: 'message', text: 'stop that', now: true}},
		]);
	});

	test('keeps what was begun for the agent that it was for', () => {
		const screen = board();
		screen.press('w');
		screen.type('half a thou');
		screen.press('esc', 'right', 'w');
		expect(screen.frame()).not.toContain('half a thou');
		screen.press('esc', 'left', 'w');
		screen.type('ght');
		screen.press('enter');
		expect(screen.asked()).toMatchObject([{order: {text: 'half a thought'}}]);
		grant(screen);
		expect(screen.context().view.drafts).toEqual({'AGT-002': expect.anything()});
	});

	test('keeps what was written while the message before was on its way', () => {
		const screen = board();
		screen.press('w');
		screen.type('the first');
		screen.press('enter', 'w', 'ctrl+u');
		screen.type('the second');
		screen.press('esc');
		grant(screen);
		screen.press('w');
		expect(screen.frame()).toContain('the second');
	});

	test('is not lost with the screen unless the person says so', () => {
		const screen = board();
		screen.press('right', 'w');
		screen.type('half a thou');
		screen.press('ctrl+c', 'q');
		expect(screen.frame()).toContain('What you wrote for AGT-002 is not sent. Leave without it?');
		screen.press('n');
		expect(screen.effects()).toEqual([]);
		screen.press('q', 'y', 'ctrl+c', 'ctrl+c');
		expect(screen.effects()).toEqual([{do: 'leave'}, {do: 'leave'}]);
	});

	test('shows that a message is queued until it was read', () => {
		const session = working(['AGT-001']);
		const order = {verb: 'message', text: 'use the clock'} as const;
		session.ask({kind: 'steer', agent: 'AGT-001', order});
		expect(board(session.state()).frame()).toContain('1 message queued');
		session.ends('AGT-001');
		session.work();
		expect(board(session.state()).frame()).not.toContain('queued');
	});
});

describe('p, on the board and at an agent', () => {
	test('pauses it, shows that it is paused, and lets it go on', () => {
		const session = working(['AGT-001', 'AGT-002']);
		const screen = board(session.state());
		screen.press('p');
		expect(screen.asked()).toEqual([{do: 'steer', agent: 'AGT-001', order: {verb: 'pause'}}]);
		session.ask({kind: 'steer', agent: 'AGT-001', order: {verb: 'pause'}});
		screen.learn({state: session.state()});
		expect(screen.frame()).toContain('is being paused');
		session.work();
		screen.learn({state: session.state()});
		expect(screen.frame()).toContain('paused by you');
		const advice = 'AGT-001 is paused by you; p at its pane';
		expect(screen.frame()).toContain(advice);
		screen.learn({mode: replay});
		expect(screen.frame()).not.toContain(advice);
		screen.learn({mode: {kind: 'live'}});
		expect(screen.frame()).toMatch(/ o open agent {2}p resume it .*\n?$/);
		screen.press('p');
		const order = {verb: 'resume'};
		expect(screen.asked().at(-1)).toEqual({do: 'steer', agent: 'AGT-001', order});
	});
});

describe('r, on the board and at an agent', () => {
	test('asks whether the agent is to start over', () => {
		const screen = board();
		screen.press('r');
		expect(screen.frame()).toContain('Start AGT-001 over?');
		screen.press('y');
		const order = {verb: 'restart', from: null};
		expect(screen.asked()).toEqual([{do: 'steer', agent: 'AGT-001', order}]);
	});
});

describe.each([
	['!', 'shell'],
	['e', 'editor'],
	['c', 'attach'],
] as const)('%s, on the board and at an agent', (key, how) => {
	test(`lets the person into its worktree, by ${how}`, () => {
		const screen = board();
		screen.press('right', key);
		expect(screen.asked()).toEqual([{do: 'visit', agent: 'AGT-002', how}]);
		screen.press('left', 'o', key);
		expect(screen.asked().at(-1)).toEqual({do: 'visit', agent: 'AGT-001', how});
	});
});

describe('t, at an agent', () => {
	test('has the plan’s checks run on its work alone', () => {
		const session = working(['AGT-001', 'AGT-002'], {plan: {verify: ['npm test']}});
		session.ends('AGT-002');
		session.work();
		const screen = board(session.state());
		screen.press('t');
		expect(screen.asked()).toEqual([]);
		screen.press('right', 'o', 't');
		expect(screen.frame()).toContain('The plan’s checks run on the work of AGT-002');
		expect(screen.asked()).toEqual([{do: 'steer', agent: 'AGT-002', order: {verb: 'check'}}]);
	});
});

describe('A, on the board and at an agent', () => {
	test('asks as which profile it is to start over, and keeps what was typed when that is refused', () => {
		const screen = board();
		screen.press('A');
		screen.type('codexx');
		expect(screen.frame()).toContain('The profile that AGT-001 starts over with');
		screen.press('enter');
		const order = {verb: 'restart', from: null};
		expect(screen.asked()).toEqual([{do: 'steer', agent: 'AGT-001', order, profile: 'codexx'}]);
		screen.take({kind: 'refused', text: 'There is no agent profile `codexx`.'});
		screen.press('A');
		expect(screen.frame()).toContain('codexx');
	});

	test('tells one that has failed why the one before did', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', {by: 'exit', code: 1});
		const screen = board(session.state());
		screen.press('A');
		screen.type('codex');
		screen.press('enter');
		const item = session.item('failure').id;
		expect(screen.asked()).toMatchObject([{order: {verb: 'restart', item}, profile: 'codex'}]);
	});

	test('does so at the failure of one as well, where the footer tells of it', () => {
		const session = working(['AGT-001', 'AGT-002']);
		session.ends('AGT-002', {by: 'exit', code: 1});
		const screen = board(session.state());
		screen.press('i', 'enter');
		const footer = screen.frame().split('\n').at(-1);
		expect(footer).toContain(' A retry as … ');
		screen.press('A');
		screen.type('codex');
		expect(screen.frame()).toContain('The profile that AGT-002 starts over with');
		expect(screen.frame()).toContain('  codex');
		screen.press('enter');
		const item = session.item('failure').id;
		expect(screen.asked()).toMatchObject([
			{agent: 'AGT-002', order: {verb: 'restart', item}, profile: 'codex'},
		]);
	});
});
