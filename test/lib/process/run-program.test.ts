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
