import {expect, test} from 'vitest';
import {runProgram} from '../../../src/lib/process/run-program.ts';

test.each([
	['at once', 'echo said'],
	['bit by bit', 'echo said; sleep 0.1; echo more >&2; sleep 0.1; echo again'],
])('what a program prints %s keeps no more memory than it has bytes', async (_, script) => {
	const {stdout, stderr} = await runProgram('/bin/sh', ['-c', script], {env: process.env});
	expect(stdout.toString()).toMatch(/^said\n(again\n)?$/);
	expect(stdout.buffer.byteLength).toBe(stdout.length);
	expect(stderr.buffer.byteLength).toBe(stderr.length);
});

test('a program that waits for something else than a named pipe is waited for', async () => {
	// It outlasts several looks, with one process in a sleep and one at an unnamed pipe.
	const {code, stdout} = await runProgram('/bin/sh', ['-c', '{ sleep 2.5; echo said; } | cat'], {
		...{env: process.env, refusesNamedPipes: true},
	});
	expect([code, stdout.toString()]).toEqual([0, 'said\n']);
});
