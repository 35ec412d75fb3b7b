import {once} from 'node:events';
import {setTimeout} from 'node:timers';
import {Worker} from 'node:worker_threads';
import type {Facts} from './facts.ts';
import type {FileToParse} from './worker.ts';

/** Reason why a file could not be read. */
export type Unread = 'too large' | 'no text' | 'parser failed' | 'parser took too long';

export type Reader = {
	/** Reads one file; requests are queued. */
	readonly read: (question: FileToParse) => Promise<Facts | Unread>;
	readonly close: () => Promise<void>;
};

export type ReaderOptions = {
	/** Program of the worker. */
	readonly program?: URL;
	/** Time limit for one file, in milliseconds. */
	readonly limit?: number;
};

/**
Returns a reader that parses in a worker thread.

A parser that crashes or hangs is ended with its thread, and the next file gets a new one: only that file counts as unread. The thread starts with the first file and keeps no program from exiting.
*/
export const makeReader = ({program = ownProgram, limit = 30_000}: ReaderOptions = {}): Reader => {
	let worker: Worker | undefined;
	let last: Promise<unknown> = Promise.resolve();
	let idle: NodeJS.Timeout | undefined;
	const end = async () => {
		const ended = worker;
		worker = undefined;
		await ended?.terminate();
	};

	const ask = async (question: FileToParse): Promise<Facts | Unread> => {
		clearTimeout(idle);
		idle = setTimeout(() => close(), idleMs);
		idle.unref();
		worker ??= started(program);
		const answer = await answerOf(worker, question, limit);
		if (typeof answer === 'string') {
			await end();
		}

		return answer;
	};

	const close = (): Promise<void> => last.then(end);
	return {
		read: question => {
			const answer = last.then(() => ask(question));
			last = answer.catch(() => {});
			return answer;
		},
		close,
	};
};

/** Time after which an idle thread is ended, in milliseconds, which frees the 10 to 50 MB of a grammar. */
const idleMs = 60_000;

const ownProgram = new URL(
	import.meta.url.endsWith('.ts') ? './worker.ts' : './source-worker.js',
	import.meta.url,
);

const started = (program: URL): Worker => {
	const worker = new Worker(program, {stdout: true, stderr: true});
	worker.unref();
	return worker;
};

const answerOf = async (
	worker: Worker,
	question: FileToParse,
	limit: number,
): Promise<Facts | Unread> => {
	const over = new AbortController();
	const {signal} = over;
	const patience = AbortSignal.timeout(limit);
	const tooLong = once(patience, 'abort', {signal}).then((): Unread => 'parser took too long');
	const gone = once(worker, 'exit', {signal}).then((): Unread => 'parser failed');
	const answered = once(worker, 'message', {signal}).then(([facts]): Facts => facts);
	worker.ref();
	worker.postMessage(question);
	try {
		return await Promise.race([answered, gone, tooLong]);
	} catch {
		return 'parser failed';
	} finally {
		worker.unref();
		over.abort();
		await Promise.allSettled([answered, gone, tooLong]);
	}
};
