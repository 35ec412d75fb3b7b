import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {execa} from 'execa';
import {expect, test} from 'vitest';

const folder = 'fixtures/transcripts';
const launcher = resolve('bin/delegate-tui.cjs');

const signals = (...words: readonly string[]) =>
	execa(process.execPath, [launcher, 'signals', ...words], {reject: false});

test('a transcript is told as one JSON object a line, as the parser reads it', async () => {
	const name = '08-reference-checkpoint-filled.txt';
	const {stdout, exitCode} = await signals(join(folder, name), '--json');
	const expected = readFileSync(join(folder, name.replace('.txt', '.expected.ndjson')), 'utf8');
	const parsed = (text: string) =>
		text
			.split('\n')
			.filter(line => line !== '')
			.map(line => JSON.parse(line));
	expect(parsed(stdout)).toEqual(parsed(expected));
	expect(parsed(stdout).length).toBeGreaterThan(0);
	expect(exitCode).toBe(0);
});

test('standard input is read, and what is malformed is told with exit code 0', async () => {
	const {stdout, exitCode} = await execa(process.execPath, [launcher, 'signals'], {
		input: 'hello\n[STOP_WORK]\nagent_id: AGT-001\n[/STOP_WORK]\n',
		reject: false,
	});
	expect(stdout).toMatch(/^ +2 {2}said a stop_work that can’t be read/);
	expect(exitCode).toBe(0);
});

test('a file that is not there is wrong use', async () => {
	const {stdout, exitCode} = await signals('no-such-file.txt', '--json');
	expect(JSON.parse(stdout)).toMatchObject({error: {kind: 'usage'}});
	expect(exitCode).toBe(2);
});
