import {describe, expect, test} from 'vitest';
import {expectAsBefore} from './a-frame.ts';
import {large, openAt, openScreen, small, whenFirst} from './a-screen.ts';
import {cases, opened} from './views.ts';

const medium = {columns: 120, rows: 40};

describe.each([small, medium, large])('on a screen of $columns×$rows', size => {
	test.each(cases)('$name looks as it did when a person last looked at it', async view => {
		await expectAsBefore(view.name, (await opened(view, size)).frame(), size);
	});
});

test('a screen that is too small says so, and takes no key but the one to leave', async () => {
	const screen = openAt('approval', await whenFirst('check-fails', 'approval'));
	screen.take({kind: 'resize', size: {columns: 59, rows: 15}});
	expect(screen.frame()).toContain('This window is too small.');
	screen.take({kind: 'resize', size: {columns: 40, rows: 10}});
	await expectAsBefore('too-small', screen.frame(), {columns: 40, rows: 10});
	screen.press('y');
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
