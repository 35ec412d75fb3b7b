import {describe, expect, test} from 'vitest';
import type {State} from '../../src/state/state.ts';
import {working} from '../helpers/given.ts';
import {openScreen, type TestScreen} from './a-screen.ts';

const board = (state: State = working(['AGT-001', 'AGT-002']).state()): TestScreen =>
	openScreen({state});

const asked = (screen: TestScreen) =>
	screen.effects().map(effect => (effect.do === 'ask' ? effect.request : effect));

describe('x, on the board and at an agent', () => {
	test('asks whether the agent is to be ended, and takes only yes for a yes', () => {
		const screen = board();
		screen.press('x', 'enter');
		screen.press('right', 'x');
		expect(screen.frame()).toContain(
			'End AGT-002 for good? Its work is kept, not merged; the others go on.',
		);
		expect(asked(screen)).toEqual([]);
		screen.press('y');
		expect(asked(screen)).toEqual([{do: 'steer', agent: 'AGT-002', order: {verb: 'stop'}}]);
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
		expect(asked(screen)).toEqual([]);
	});

	test('does nothing to a recording', () => {
		const state = working(['AGT-001']).state();
		const screen = openScreen({
			state,
			mode: {kind: 'replay', position: 0, length: 1, playing: false, speed: 1},
		});
		screen.press('x');
		expect(asked(screen)).toEqual([]);
	});
});
