import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import process from 'node:process';
import {createInterface} from 'node:readline';
import type {Readable, Writable} from 'node:stream';
import {onTestFinished} from 'vitest';

export type Child = {
	readonly process: ChildProcessByStdio<Writable, Readable, null>;
	readonly lines: AsyncIterator<string>;
	/** Sends a line and returns the next one that comes back. */
	readonly ask: (line: string) => Promise<string>;
	/** Sends SIGKILL and waits until the process is gone. */
	readonly kill: () => Promise<void>;
};

/** Starts a program of this folder as a process of its own. */
export const startProgram = (name: string, args: readonly string[]): Child => {
	const script = join(import.meta.dirname, 'programs', name);
	const flags = ['--experimental-strip-types', '--no-warnings'];
	const child = spawn(process.execPath, [...flags, script, ...args], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const exit = once(child, 'exit');
	const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
	onTestFinished(() => {
		child.kill('SIGKILL');
	});
	return {
		process: child,
		lines,
		ask: async line => {
			child.stdin.write(`${line}\n`);
			return (await lines.next()).value ?? '';
		},
		kill: async () => {
			child.kill('SIGKILL');
			await exit;
		},
	};
};
