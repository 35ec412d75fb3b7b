import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openTerminal} from '../helpers/terminal.ts';

const questions = join(import.meta.dirname, '../../src/cli/questions.ts');

/** A program that asks until it gets a good answer, or says why it got none. */
const asking = `
import {withQuestions} from '${questions}';
try {
	const answer = await withQuestions('Nothing was decided.', async ({ask, isOver}) => {
		for (;;) {
			try {
				const answer = await ask('Your choice: ');
				if (answer === 'good') return answer;
				console.log('again');
			} catch (error) {
				console.log('over', isOver());
				throw error;
			}
		}
	});
	console.log('chosen', answer);
} catch (error) {
	console.log(error.kind, error.message);
}`;

const open = () =>
	openTerminal({
		program: process.execPath,
		words: [
			...['--experimental-strip-types', '--no-warnings', '--input-type=module'],
			...['-e', asking],
		],
		directory: import.meta.dirname,
		environment: {PATH: process.env.PATH ?? ''},
		columns: 80,
		rows: 12,
	});

test('a question at a terminal is answered by a line', async () => {
	using terminal = open();
	await terminal.until('Your choice:');
	await terminal.typeUntil('bad\r', 'again');
	await terminal.typeUntil(' good \r', 'chosen good');
	expect(await terminal.exits()).toBe(0);
});

test.each([
	['Ctrl-C', '\x03'],
	['Ctrl-D', '\x04'],
])('%s leaves it, and nothing is asked any more', async (_, key) => {
	using terminal = open();
	await terminal.until('Your choice:');
	await terminal.typeUntil(key, 'refused Nothing was decided.');
	expect(terminal.text()).toContain('over true');
	expect(await terminal.exits()).toBe(0);
});
