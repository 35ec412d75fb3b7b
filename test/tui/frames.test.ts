import {describe, expect, test} from 'vitest';
import {expectAsBefore} from './a-frame.ts';
import {large, openAt, openScreen, small, whenFirst} from './a-screen.ts';
import {cases, opened} from './views.ts';

const medium = {columns: 120, rows: 40};
const smallest = {columns: 40, rows: 10};

describe.each([small, medium, large])('on a screen of $columns×$rows', size => {
	test.each(cases)('$name looks as it did when a person last looked at it', async view => {
		await expectAsBefore(view.name, (await opened(view, size)).frame(), size);
	});
});

const inLittle = ['board', 'inbox', 'question-in-full', 'review', 'conflict', 'approval'];

test.each(cases.filter(({name}) => inLittle.includes(name)))(
	'on a screen of 40×10, $name tells what waits and its keys',
	async view => {
		await expectAsBefore(view.name, (await opened(view, smallest)).frame(), smallest);
	},
);

test('what comes next is opened and decided by keys on a screen of 40×10', async () => {
	const screen = openScreen(await whenFirst('check-fails', 'approval'), {size: smallest});
	expect(screen.frame()).toMatch(/⏎ a-1 +Merge AGT-001/);
	screen.press('enter', '1');
	expect(screen.frame()).toContain('▸y  Merge exactly this result');
	screen.press('enter');
	expect(screen.frame()).toMatch(/not on the screen\. Merge\nit with that\?/);
	screen.press('Y');
	expect(screen.asked()).toMatchObject([{choice: 'approve'}]);
});

test('a screen that is too small says so, and takes no key but the one to leave', async () => {
	const screen = openScreen(await whenFirst('check-fails', 'approval'), {size: smallest});
	screen.press('enter');
	screen.take({kind: 'resize', size: {columns: 39, rows: 9}});
	expect(screen.frame()).toContain('This window is too small.');
	screen.press('y');
	expect(screen.effects()).toEqual([]);
	screen.press('q');
	expect(screen.effects()).toEqual([{do: 'leave'}]);
});

test('a window that is too small asks, too, before it is left with unsent text', async () => {
	const screen = openAt('question', await whenFirst('questions-and-checkpoints', 'question'));
	screen.type('not yet');
	screen.take({kind: 'resize', size: {columns: 39, rows: 9}});
	screen.press('q');
	expect(screen.frame().replaceAll('\n', ' ')).toContain(
		'What you wrote for q-1 is not sent. Leave without it? q leaves.',
	);
	expect(screen.effects()).toEqual([]);
	screen.press('q');
	expect(screen.effects()).toEqual([{do: 'leave'}]);
});

test('how to leave is seen in a window of any size', async () => {
	const screen = openScreen(await whenFirst('check-fails', 'approval'));
	for (const size of [
		{columns: 20, rows: 5},
		{columns: 40, rows: 8},
		{columns: 200, rows: 7},
	]) {
		screen.take({kind: 'resize', size});
		expect([size, screen.frame()]).toEqual([size, expect.stringMatching(/q\s+leaves\./)]);
	}
});
