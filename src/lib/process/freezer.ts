import {listProcesses, type ProcessEntry} from './process-table.ts';
import {isAlive, type ProcessIdentity, send} from './processes.ts';

/** Processes that stand still together, with all that they have started. */
export type Freezer = {
	/** Counts a process in until it is over; where the others stand still, it does so at once. */
	readonly hold: (root: ProcessIdentity, over: Promise<unknown>) => void;
	/** Lets all of them stand still from now on, or go on. */
	readonly set: (isFrozen: boolean) => void;
	/** Returns a signal that aborts after so many milliseconds in which they did not stand still. */
	readonly timeout: (ms: number) => AbortSignal;
};

/** Returns a freezer in which nothing stands still yet. */
export const createFreezer = (): Freezer => {
	const held = new Set<ProcessIdentity>();
	const clocks = new Set<Clock>();
	let isFrozen = false;
	return {
		hold: (root, over) => {
			held.add(root);
			if (isFrozen) {
				freeze(root);
			}

			const release = () => held.delete(root);
			over.then(release, release);
		},
		set: wanted => {
			if (wanted === isFrozen) {
				return;
			}

			isFrozen = wanted;
			held.forEach(isFrozen ? freeze : thaw);
			for (const clock of clocks) {
				clock.set(isFrozen);
			}
		},
		timeout: ms => {
			const abort = new AbortController();
			const clock = startClock(ms, () => {
				clocks.delete(clock);
				abort.abort(new DOMException('It took too long.', 'TimeoutError'));
			});
			clocks.add(clock);
			clock.set(isFrozen);
			return abort.signal;
		},
	};
};

type Clock = {readonly set: (isStopped: boolean) => void};

/** Rings once, after so many milliseconds in which it was not stopped; it keeps no process alive. */
const startClock = (ms: number, ring: () => void): Clock => {
	let left = ms;
	let running: {readonly timer: NodeJS.Timeout; readonly since: number} | undefined;
	return {
		set: isStopped => {
			if (isStopped && running !== undefined) {
				clearTimeout(running.timer);
				left -= performance.now() - running.since;
				running = undefined;
			} else if (!isStopped && running === undefined) {
				running = {timer: setTimeout(ring, left).unref(), since: performance.now()};
			}
		},
	};
};

/** Stops a process and all that descends from it, so that nothing of it runs until it is thawed. */
export const freeze = (root: ProcessIdentity): void => signalTree(root, 'SIGSTOP');

/** Lets a frozen process and all that descends from it go on. */
export const thaw = (root: ProcessIdentity): void => signalTree(root, 'SIGCONT');

/** What starts another process while the tree is walked is met in a later round, with what it started. */
const maximumRounds = 10;

/** In a process namespace an orphan is adopted by its first process, so the tree is all there is. */
const signalTree = (root: ProcessIdentity, signal: 'SIGSTOP' | 'SIGCONT'): void => {
	const reached = new Set<number>();
	for (let round = 0; round < maximumRounds && isAlive(root); round++) {
		const fresh = treeOf(root.pid).filter(pid => !reached.has(pid));
		if (fresh.length === 0) {
			return;
		}

		for (const pid of fresh) {
			send(pid, signal);
			reached.add(pid);
		}
	}
};

const treeOf = (root: number): readonly number[] => {
	const children = Map.groupBy(listProcesses(), ({parent}: ProcessEntry) => parent);
	const found = [root];
	for (const pid of found) {
		found.push(...(children.get(pid) ?? []).map(child => child.pid));
	}

	return found;
};
