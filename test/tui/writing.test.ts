import {expect, test} from 'vitest';
import {openAt, whenFirst} from './a-screen.ts';

test('who writes a long answer and goes up in it still sees what follows', async () => {
	const screen = openAt('question', await whenFirst('questions-and-checkpoints', 'question'));
	const lines = Array.from({length: 30}, (_, index) => `row ${index}.`);
	screen.take({kind: 'paste', text: lines.join('\n')});
	expect(screen.frame()).toContain('row 29.');
	screen.press(...Array.from({length: 10}, () => 'up'));
	expect(screen.frame()).toContain('row 18.');
	expect(screen.frame()).toContain('row 20.');
});
