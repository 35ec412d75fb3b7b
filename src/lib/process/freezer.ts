import {listUsed} from './process-table.ts';
import {isAlive, type ProcessIdentity, send} from './processes.ts';

/** Process trees that are stopped and continued together. */
export type Freezer = {
	/** Adds a process until `over` settles; it is stopped at once if the others are. */
	readonly hold: (root: ProcessIdentity, over: Promise<unknown>) => void;
	/** Stops or continues all. */
	readonly set: (isFrozen: boolean) => void;
	/** Returns a signal that aborts after so many milliseconds without frozen time. */
	readonly timeout: (ms: number) => AbortSignal;
};

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

/** Starts a pausable timer of so many milliseconds, which doesn't keep the process alive. */
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

/** Sends SIGSTOP to a process and its descendants. */
export const freeze = (root: ProcessIdentity): void => signalTree(root, 'SIGSTOP');

/** Sends SIGCONT to a process and its descendants. */
export const thaw = (root: ProcessIdentity): void => signalTree(root, 'SIGCONT');

/** Maximum number of rounds: each finds processes that were forked during the one before. */
const maximumRounds = 10;

/** Signals a process tree. In a PID namespace its init adopts orphans, so the tree is complete. */
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
	const children = Map.groupBy(listUsed(), ({parent}) => parent);
	const found = [root];
	for (const pid of found) {
		found.push(...(children.get(pid) ?? []).map(child => child.pid));
	}

	return found;
};
