import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {platform} from 'node:os';
import type {Readable} from 'node:stream';
import {bytesText} from '../text/sanitize.ts';
import {endInput} from './pipe.ts';
import {processTree, waitsForNamedPipe} from './process-table.ts';
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
	/** True to kill it and its children once one of them waits for a named pipe; only on Linux. */
	readonly refusesNamedPipes?: boolean;
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

@throws the signal's reason, or an error when the program can't be started, waits for a named pipe, or prints more than fits into memory
*/
export const runProgram = async (
	program: string,
	words: readonly string[],
	{input, onStderr, refusesNamedPipes = false, ...options}: RunOptions,
): Promise<Ended> => {
	const child = spawn(program, words, {...options, killSignal: 'SIGKILL'});
	endInput(child.stdin, input);
	const refused = Promise.withResolvers<never>();
	const watch =
		refusesNamedPipes && platform() === 'linux'
			? setInterval(() => killAtNamedPipe(child, refused.reject), lookMs)
			: undefined;
	try {
		const ended = Promise.all([
			bytesOf(child.stdout),
			bytesOf(child.stderr, onStderr),
			once(child, 'close'),
		]);
		const [stdout, stderr, [code]] = await Promise.race([ended, refused.promise]);
		return {code, stdout, stderr};
	} catch (error) {
		options.signal?.throwIfAborted();
		throw error;
	} finally {
		clearInterval(watch);
		child.kill();
	}
};

/** Error of a program that was killed because it waited for a named pipe. */
export class AtNamedPipe extends Error {}

/** Most programs end before the first look. */
const lookMs = 1000;

/** Kills a program and its children if one of them waits for a named pipe. Mere idleness is no reason: a slow file system keeps a program waiting, too. */
const killAtNamedPipe = (
	{pid: head}: ChildProcess,
	onKilled: (error: AtNamedPipe) => void,
): void => {
	const tree = processTree(({pid}) => pid === head);
	if (tree.some(({pid}) => waitsForNamedPipe(pid))) {
		for (const {pid} of tree) {
			send(pid, 'SIGKILL');
		}

		onKilled(new AtNamedPipe('It waited for a named pipe, and was killed.'));
	}
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
