import {closeSync, openSync} from 'node:fs';
import {devNull} from 'node:os';
import {causeOf, errorCode, type SystemCause} from '../files/disk-failure.ts';

/** How many descriptors the start of a process takes: three pipes with two ends each, two that tell how it went, and some for files that are opened meanwhile. */
const startTakes = 12;

/**
Returns why no process can be started now, which is when there are too few descriptors left for it; `undefined` when one can be.

A start that fails half way keeps some of them for good, so it must not even be tried: what is short for a moment would stay so.

@param later how many more it needs once it runs
*/
const lackOfRoom = (later: number): SystemCause | undefined => {
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

/** Starts a process, calls `begun` when that is done, and settles when what it took is given back or is its to keep. */
type Run<Result> = (begun: () => void) => Promise<Result>;

const running = new Set<Promise<unknown>>();
let lastStart: Promise<void> = Promise.resolve();

/**
Runs a process as soon as there are descriptors for it.

They are started one by one, or two would take the same descriptors. Where there are too few, one waits for another that runs already and gives back what it has; when none does, `otherwise` says what can't be done.

@param later how many more it needs once it runs
*/
export const withRoom = async <Result>(
	run: Run<Result>,
	otherwise: (lack: SystemCause) => never,
	later = 0,
): Promise<Result> => {
	const start = Promise.withResolvers<void>();
	const before = lastStart;
	lastStart = start.promise;
	await before;
	try {
		const lack = await lastingLack(later);
		return await (lack === undefined ? whileRunning(run(start.resolve)) : otherwise(lack));
	} finally {
		start.resolve();
	}
};

/**
Starts a process that nobody need wait for, in its turn.

What `start` returns comes in an object, since it may be a promise of the end.
*/
export const startWithRoom = <Started>(
	start: () => Started,
	otherwise: (lack: SystemCause) => never,
	later?: number,
): Promise<{readonly started: Started}> =>
	withRoom(async () => ({started: start()}), otherwise, later);

/** Returns what is short although nothing runs that could give it back. */
const lastingLack = async (later: number): Promise<SystemCause | undefined> => {
	for (;;) {
		const lack = lackOfRoom(later);
		if (lack === undefined || running.size === 0) {
			return lack;
		}

		await Promise.race(running);
	}
};

const whileRunning = async <Result>(result: Promise<Result>): Promise<Result> => {
	const end = result.catch(() => {});
	running.add(end);
	try {
		return await result;
	} finally {
		running.delete(end);
	}
};
