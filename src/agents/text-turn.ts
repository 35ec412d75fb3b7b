import {createWriteStream} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Readable} from 'node:stream';
import {execa} from 'execa';
import type {TurnEnd} from '../events/event.ts';
import {Failure} from '../lib/failure.ts';
import {endGroup, type ProcessIdentity, startTime, sweep} from '../lib/processes.ts';
import type {Signal} from '../signals/index.ts';
import {createParser} from '../signals/parser.ts';

/** What one run of a text agent needs. */
export type TextTurnOptions = {
	readonly command: readonly string[];
	readonly directory: string;
	/** The whole environment of the process. */
	readonly environment: Readonly<Record<string, string>>;
	readonly prompt: string;
	/** Whether its input stays open for replies. */
	readonly keepInput: boolean;
	/** File that gets what it says; what it writes on stderr goes beside it. */
	readonly transcript: string;
	/** Names of extra line signals. */
	readonly expect: readonly string[];
	/** Called for each signal, with the bytes of the transcript up to its end. */
	readonly onSignal: (signal: Signal, offset: number) => void;
	/** An environment entry that only processes of this turn have. */
	readonly mark: string;
};

/** A text agent at work. */
export type TextTurn = {
	readonly pid: number;
	readonly startTime: string;
	/** Settles when the process and all it started are gone and every signal was handed on. */
	readonly ended: Promise<{
		end: TurnEnd;
		lastError?: string;
		survivors: readonly ProcessIdentity[];
	}>;
	/** Writes a reply into its open input. */
	readonly reply: (text: string) => void;
	/** Ends it from outside: TERM, and KILL when that does not help. */
	readonly stop: () => Promise<void>;
};

/** Between TERM and KILL, in milliseconds. */
const killDelayMs = 5000;

/**
Starts a command as an agent, in a process group of its own: the prompt on its input, its signals on its output.

Fails with a `Failure` when the program can't be started at all.
*/
export const startTextTurn = async (options: TextTurnOptions): Promise<TextTurn> => {
	const [program = '', ...words] = options.command;
	await mkdir(dirname(options.transcript), {recursive: true});
	const child = execa(program, words, {
		cwd: options.directory,
		env: options.environment,
		extendEnv: false,
		detached: true,
		cleanup: false,
		buffer: false,
		reject: false,
		stdin: 'pipe',
		stdout: 'pipe',
		stderr: 'pipe',
		stripFinalNewline: false,
	});
	if (child.pid === undefined) {
		throw notStarted(program, await child);
	}

	const process = {pid: child.pid, startTime: startTime(child.pid) ?? ''};
	giveInput(child.stdin, options);
	const heard = hear(child.stdout, options);
	const complained = complain(child.stderr, `${options.transcript}.err`);
	let stopped = false;
	const exited = new Promise<TurnEnd>(resolve => {
		child.nodeChildProcess.once('exit', (code, signal) => resolve(endOf(code, signal)));
	});
	const ended = (async () => {
		const end = await exited;
		// What the agent left running is ended with it, so that its worktree stands still.
		await endGroup(process, {graceMs: killDelayMs});
		const survivors = await sweep(options.mark);
		const [, lastError] = await drained(child, Promise.all([heard, complained]));
		return {
			end: stopped ? ({by: 'stopped'} as const) : end,
			survivors,
			...(lastError === undefined ? {} : {lastError}),
		};
	})();

	return {
		...process,
		ended,
		reply: text => child.stdin.write(`${text}\n[/REPLY]\n`),
		stop: async () => {
			stopped = true;
			await endGroup(process, {graceMs: killDelayMs});
			await ended;
		},
	};
};

/** How long a process that escaped may keep our pipes open after the agent is gone, in milliseconds. */
const drainMs = 2000;

/** Waits for what is still in the pipes, but not for a process that keeps them open. */
const drained = async <T>(
	{stdout, stderr}: {stdout: Readable; stderr: Readable},
	reading: Promise<T>,
): Promise<T> => {
	const timer = setTimeout(() => {
		stdout.destroy();
		stderr.destroy();
	}, drainMs);
	try {
		return await reading;
	} finally {
		clearTimeout(timer);
	}
};

type Unstarted = {readonly code?: string | undefined; readonly shortMessage?: string | undefined};

const notStarted = (program: string, {code, shortMessage}: Unstarted): Failure =>
	code === 'ENOENT'
		? new Failure('missing', `The agent's program "${program}" was not found.`, {
				hint: 'install it, or name another command for this agent in the plan or the config',
			})
		: new Failure(
				'missing',
				`The agent's program "${program}" can't be started: ${code ?? shortMessage}.`,
				{
					hint: 'check that it is a program you may run',
				},
			);

/** An agent that doesn't read its input is no failure: a closed pipe is ignored. */
const giveInput = (stdin: NodeJS.WritableStream, options: TextTurnOptions): void => {
	stdin.on('error', () => {});
	stdin.write(options.prompt);
	if (!options.keepInput) {
		stdin.end();
	}
};

/** Every byte is in the transcript before it is read for signals. */
const hear = async (stdout: AsyncIterable<Uint8Array>, options: TextTurnOptions): Promise<void> => {
	const parser = createParser({expect: options.expect});
	const transcript = createWriteStream(options.transcript, {flags: 'a'});
	let offset = 0;
	try {
		for await (const chunk of stdout) {
			await written(transcript, chunk);
			offset += chunk.length;
			hand(parser.push(chunk), offset, options);
		}
	} catch (error) {
		if (!isClosedEarly(error)) {
			throw error;
		}
	} finally {
		hand(parser.end(), offset, options);
		await closed(transcript);
	}
};

const hand = (signals: readonly Signal[], offset: number, {onSignal}: TextTurnOptions): void => {
	for (const signal of signals) {
		onSignal(signal, offset);
	}
};

/** Returns the last line it complained with. */
const complain = async (
	stderr: AsyncIterable<Uint8Array>,
	path: string,
): Promise<string | undefined> => {
	const file = createWriteStream(path, {flags: 'a'});
	let tail = '';
	try {
		for await (const chunk of stderr) {
			await written(file, chunk);
			tail = (tail + Buffer.from(chunk).toString()).slice(-2000);
		}
	} catch (error) {
		if (!isClosedEarly(error)) {
			throw error;
		}
	} finally {
		await closed(file);
	}

	return tail.trimEnd().split('\n').at(-1)?.trim() || undefined;
};

/** A pipe that a survivor keeps open is closed by us. */
const isClosedEarly = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

const written = (stream: NodeJS.WritableStream, chunk: Uint8Array): Promise<void> =>
	new Promise((resolve, reject) => {
		stream.write(chunk, error => (error ? reject(error) : resolve()));
	});

const closed = (stream: NodeJS.WritableStream): Promise<void> =>
	new Promise(resolve => {
		stream.end(() => resolve());
	});

const endOf = (code: number | null, signal: string | null): TurnEnd =>
	signal === null ? {by: 'exit', code: code ?? 1} : {by: 'signal', signal};
