import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Readable} from 'node:stream';
import {bytesText} from '../text/sanitize.ts';
import {endInput} from './pipe.ts';
import {processTree, readProcess} from './process-table.ts';
import {send} from './processes.ts';

type RunOptions = {
	readonly cwd?: string;
	/** The whole environment. */
	readonly env: NodeJS.ProcessEnv;
	readonly input?: Uint8Array | string | undefined;
	/** True for a separate process group, so that Ctrl-C in a terminal doesn't reach it. */
	readonly detached?: boolean;
	/** Kills it with SIGKILL. */
	readonly signal?: AbortSignal;
	/** Called with output on stderr while it runs. */
	readonly onStderr?: ((text: string) => void) | undefined;
	/** Kills it and its children once they have only waited for that long, in milliseconds. */
	readonly stallMs?: number;
};

type Ended = {
	/** Null if a signal ended it. */
	readonly code: number | null;
	readonly stdout: Buffer;
	readonly stderr: Buffer;
};

/**
Runs a program to its end, and returns its output.

A merge starts hundreds of programs. Plain Node.js takes half the processor time of the libraries for this, and none of their 24 MB.

@throws the signal's reason, or an error when the program can't be started, stalls, or prints more than fits into memory
*/
export const runProgram = async (
	program: string,
	words: readonly string[],
	{input, onStderr, stallMs, ...options}: RunOptions,
): Promise<Ended> => {
	const child = spawn(program, words, {...options, killSignal: 'SIGKILL'});
	endInput(child.stdin, input);
	const stalled = Promise.withResolvers<never>();
	const stopWatching =
		stallMs === undefined ? undefined : watchForStall(child, stallMs, stalled.reject);
	try {
		const ended = Promise.all([
			bytesOf(child.stdout),
			bytesOf(child.stderr, onStderr),
			once(child, 'close'),
		]);
		const [stdout, stderr, [code]] = await Promise.race([ended, stalled.promise]);
		return {code, stdout, stderr};
	} catch (error) {
		options.signal?.throwIfAborted();
		throw error;
	} finally {
		stopWatching?.();
		child.kill();
	}
};

/** Error of a program that was killed because it waited for something that may never come. */
export class Stalled extends Error {}

/** Number of looks in turn that find it waiting: this process may sleep between two. */
const looks = 6;

/** Kills a program and its children once they have only waited for a while; only where `/proc` shows that. */
const watchForStall = (
	{pid}: ChildProcess,
	stallMs: number,
	onStall: (error: Stalled) => void,
): (() => void) => {
	let [used, still] = [-1, 0];
	const timer = setInterval(() => {
		const tree = processTree(one => one.pid === pid).flatMap(({pid}) => readProcess(pid) ?? []);
		const cpuMs = tree.reduce((sum, one) => sum + one.cpuMs, 0);
		const waits = tree.length > 0 && tree.every(({isAsleep}) => isAsleep) && cpuMs === used;
		[used, still] = [cpuMs, waits ? still + 1 : 0];
		if (still === looks) {
			for (const {pid} of tree) {
				send(pid, 'SIGKILL');
			}

			onStall(new Stalled('It only waited, and was killed.'));
		}
	}, stallMs / looks);
	return () => clearInterval(timer);
};

const bytesOf = async (stream: Readable, onText?: (text: string) => void): Promise<Buffer> => {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.length;
		if (bytes > mostBytes) {
			throw new Error(`It printed more than ${bytesText(mostBytes)}.`);
		}

		chunks.push(chunk);
		onText?.(chunk.toString('utf8'));
	}

	// Don't use Node's buffer pool: a few kept bytes would keep 64 KiB of it.
	const whole = Buffer.allocUnsafeSlow(bytes);
	chunks.reduce((at, chunk) => at + chunk.copy(whole, at), 0);
	return whole;
};

const mostBytes = 2 ** 30;
