import {listProcesses, type ProcessEntry} from './process-table.ts';
import {isAlive, type ProcessIdentity, send} from './processes.ts';

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
