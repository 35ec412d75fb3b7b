import {closeSync, openSync} from 'node:fs';
import {devNull} from 'node:os';
import {causeOf, type DiskCause, errorCode} from './disk-failure.ts';

/** How many descriptors the start of a process takes: three pipes with two ends each, two that tell how it went, and some for files that are opened meanwhile. */
const startTakes = 12;

/**
Returns why no process can be started now, which is when there are too few descriptors left for it; `undefined` when one can be.

A start that fails half way keeps some of them for good, so it must not even be tried: what is short for a moment would stay so.

@param later how many more it needs once it runs
*/
export const lackOfRoom = (later = 0): DiskCause | undefined => {
	const held: number[] = [];
	try {
		while (held.length < startTakes + later) {
			held.push(openSync(devNull, 'r'));
		}
	} catch (error) {
		return ['EMFILE', 'ENFILE'].includes(errorCode(error) ?? '') ? causeOf(error) : undefined;
	} finally {
		for (const descriptor of held) {
			closeSync(descriptor);
		}
	}

	return undefined;
};

/** Runs a process that ends by itself, and calls `begun` when it is started. */
type Run<Result> = (begun: () => void) => Promise<Result>;

const running = new Set<Promise<unknown>>();
let lastStart: Promise<void> = Promise.resolve();

/**
Runs a process that ends by itself as soon as there are descriptors for it.

They are started one by one, or two would take the same descriptors. Where there are too few, one waits for another that runs already and gives back what it has; when none does, the answer is `otherwise`.
*/
export const withRoom = async <Result>(
	run: Run<Result>,
	otherwise: (lack: DiskCause) => Result,
): Promise<Result> => {
	const start = Promise.withResolvers<void>();
	const before = lastStart;
	lastStart = start.promise;
	await before;

	try {
		const lack = await lackAtLast();
		return await (lack === undefined ? untilEnd(run(start.resolve)) : otherwise(lack));
	} finally {
		start.resolve();
	}
};

/** Returns what is short although nothing runs that could give it back. */
const lackAtLast = async (): Promise<DiskCause | undefined> => {
	for (;;) {
		const lack = lackOfRoom();
		if (lack === undefined || running.size === 0) {
			return lack;
		}

		await Promise.race(running);
	}
};

const untilEnd = async <Result>(result: Promise<Result>): Promise<Result> => {
	const end = result.catch(() => {});
	running.add(end);
	try {
		return await result;
	} finally {
		running.delete(end);
	}
};
