import {describe, expect, test} from 'vitest';
import {openAt, type TestScreen, whenFirst} from './a-screen.ts';

const asked = (screen: TestScreen) =>
	screen.effects().flatMap(effect => (effect.do === 'ask' ? [effect.request.choice] : []));

/** Opens a screen where something was just decided, at second ten. */
const decided = async (): Promise<TestScreen> => {
	const screen = openAt('checkpoint', await whenFirst('questions-and-checkpoints', 'checkpoint'));
	screen.take({kind: 'key', key: 'c', at: 10_000});
	expect(asked(screen)).toEqual(['continue']);
	return screen;
};

const type = (screen: TestScreen, text: string, from: number): void => {
	for (const [index, letter] of [...text].entries()) {
		screen.take({kind: 'key', key: letter === '\n' ? 'enter' : letter, at: from + index * 200});
	}
};

describe('text that is typed on after a decision', () => {
	test('runs no keys of the next view, however long it is', async () => {
		const screen = await decided();
		const {place} = screen.context().view;
		type(screen, 'losing X\nqm1?', 10_150);
		expect(screen.context().view).toMatchObject({place, dialog: {kind: 'none'}});
		expect(screen.effects()).toHaveLength(1);
		expect(screen.notice()).toContain('does nothing; pause, or press an arrow or Esc first');
	});

	test('counts again after a pause', async () => {
		const screen = await decided();
		type(screen, 'ab', 10_150);
		screen.take({kind: 'key', key: 'l', at: 11_100});
		expect(screen.context().view.place.at).toBe('log');
	});

	test('counts again after a key of movement', async () => {
		const screen = await decided();
		screen.take({kind: 'key', key: 'left', at: 10_100});
		screen.take({kind: 'key', key: 'l', at: 10_150});
		expect(screen.context().view.place.at).toBe('log');
	});
});

test('a blocker that asks for something is not resolved without it', async () => {
	const known = await whenFirst('questions-and-checkpoints', 'checkpoint');
	const [checkpoint] = known.state.items.filter(item => item.kind === 'checkpoint');
	if (checkpoint === undefined) {
		throw new Error('There is a checkpoint.');
	}

	const {id, opened, agent} = checkpoint;
	const blocker = {kind: 'blocker', id: 'b-1', opened, agent, details: 'No hours.'} as const;
	for (const [wanted, expected] of [
		['the closing time', []],
		[undefined, ['resolved']],
	] as const) {
		const said = {
			kind: 'stop_work',
			line: 1,
			details: 'No hours.',
			resume_requirements: wanted ?? '',
		} as const;
		const item = {...blocker, ...(wanted === undefined ? {} : {said})};
		const items = known.state.items.map(one => (one.id === id ? item : one));
		const screen = openAt('blocker', {...known, state: {...known.state, items}});
		screen.press('r');
		expect(asked(screen)).toEqual(expected);
		expect(screen.context().view.dialog.kind).toBe(wanted === undefined ? 'none' : 'note');
	}
});
