import {expect, test} from 'vitest';
import {expectToFit} from './a-frame.ts';
import {openAt, openScreen, small, type TestScreen, whenFirst} from './a-screen.ts';

const atApproval = async (): Promise<TestScreen> =>
	openAt('approval', await whenFirst('check-fails', 'approval'));

/** What a frame says, however its lines are broken. */
const words = (screen: TestScreen): string => screen.frame().replaceAll(/\s+/g, ' ');

test('why something was refused is told to its end, on as many rows as that takes', async () => {
	const screen = await atApproval();
	const text = `main has moved meanwhile: ${'its tip is another one, '.repeat(5)}so all is rebuilt.`;
	screen.take({kind: 'refused', text});
	expect(words(screen)).toContain(text);
	expect(screen.frame()).toContain('Merge exactly this result');
	expectToFit(screen.frame(), small);
	screen.press('j');
	expect(words(screen)).not.toContain('main has moved');
	expectToFit(screen.frame(), small);
});

test('what is told takes three rows at most, and ends in an ellipsis then', async () => {
	const screen = await atApproval();
	screen.take({kind: 'refused', text: 'a\nb\nlast of all\nnever shown'.padEnd(300, '.')});
	expect(screen.frame()).toMatch(/✘ a *\n {2}b *\n {2}last of all never shown\.*… *\n/);
	expectToFit(screen.frame(), small);
});

test('what takes several rows has them to itself on the board, too', async () => {
	const known = await whenFirst('questions-and-checkpoints', 'question');
	const screen = openScreen(known);
	// Each row of it leaves room beside it.
	const text = `${'x'.repeat(45)} ${'y'.repeat(45)}`;
	const next = /⏎ \S+ AGT-/;
	expect(screen.frame()).toMatch(next);
	screen.take({kind: 'refused', text});
	expect(words(screen)).toContain(text);
	expect(screen.frame()).not.toMatch(next);
	expectToFit(screen.frame(), small);
});

test('a long answer is told by its first line', async () => {
	const screen = openAt('question', await whenFirst('questions-and-checkpoints', 'question'));
	screen.take({kind: 'paste', text: 'first line\nsecond line'});
	screen.press('enter');
	expect(screen.notice()).toBe('q-1: first line … …');
	expect(screen.effects()).toMatchObject([{request: {choice: 'first line\nsecond line'}}]);
});

test('what was decided is told in the words of the choice', async () => {
	const screen = openAt('checkpoint', await whenFirst('questions-and-checkpoints', 'checkpoint'));
	screen.press('c', 'enter');
	expect(screen.effects().at(-1)).toMatchObject({done: 'cp-1: Let it go on'});
});
