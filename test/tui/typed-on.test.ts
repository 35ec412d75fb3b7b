import {describe, expect, test} from 'vitest';
import {checkpoint, saying} from '../helpers/given.ts';
import {openAt, openScreen, type TestScreen, whenFirst} from './a-screen.ts';

/** Opens a screen where something was just decided, at second ten. */
const decided = async (): Promise<TestScreen> => {
	const screen = openAt('checkpoint', await whenFirst('questions-and-checkpoints', 'checkpoint'));
	screen.take({kind: 'key', key: 'c', at: 9900});
	screen.take({kind: 'key', key: 'enter', at: 10_000});
	expect(screen.asked()).toMatchObject([{choice: 'continue'}]);
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
		expect(screen.notice()).toContain('do nothing; pause, or press an arrow or Esc first');
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

test.each([
	['the closing time', [], 'note'],
	['', [{choice: 'resolved'}], 'none'],
])('a blocker that asks for something is not resolved without it: %j', (wanted, asked, dialog) => {
	const session = saying(
		`[STOP_WORK]\ndetails: No hours.\nresume_requirements: "${wanted}"\n[/STOP_WORK]\n`,
	);
	session.work();
	const screen = openAt('blocker', {state: session.state()});
	screen.press('r', ...(wanted === '' ? ['enter'] : []));
	expect(screen.asked()).toMatchObject(asked);
	expect(screen.context().view.dialog.kind).toBe(dialog);
});

test.each(['granted', 'refused'] as const)(
	'Enter that was meant for the editor takes nothing once that has closed: %s',
	async kind => {
		const screen = openAt('checkpoint', await whenFirst('questions-and-checkpoints', 'checkpoint'));
		screen.press('c');
		screen.take({kind, text: 'Your editor has closed.', at: 10_000});
		screen.take({kind: 'key', key: 'enter', at: 10_200});
		expect(screen.asked()).toEqual([]);
		screen.take({kind: 'key', key: 'enter', at: 11_000});
		expect(screen.asked()).toMatchObject([{choice: 'continue'}]);
	},
);

test('Enter that is held down on the board does not take the choice that a checkpoint asks for', () => {
	const session = saying(checkpoint('Status: IN_PROGRESS\n## Request\nMERGE'));
	session.work();
	const screen = openScreen({state: session.state()});
	const enter = (at: number) => screen.take({kind: 'key', key: 'enter', at});
	[10_000, 10_500, 10_530, 10_560].forEach(enter);
	expect(screen.context().view.place).toMatchObject({at: 'item', item: 'cp-1'});
	expect(screen.asked()).toEqual([]);
	enter(11_300);
	expect(screen.asked()).toMatchObject([{item: 'cp-1', choice: 'merge'}]);
});
