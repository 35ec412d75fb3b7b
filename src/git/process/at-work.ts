import {realpath} from 'node:fs/promises';
import {basename} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {
	allProcesses,
	deepestOf,
	processEnvironment,
	processFolder,
	processTree,
	shortCommandOf,
	type TreeProcess,
} from '../../lib/process/process-table.ts';

const patienceMs = 5000;
const lookEveryMs = 50;

/**
Waits until every git that runs in one of the folders has ended; returns an obstacle if one stays.

@param about waits only for a git with one of these paths in its arguments or environment
*/
export const waitForGits = async (
	roots: readonly string[],
	about?: readonly string[],
): Promise<Obstacle | undefined> => {
	const seen = await gitsAt(roots);
	const isMeant = ({pid, words}: TreeProcess) =>
		about === undefined || mentionedBy(pid, words).some(path => about.includes(path));
	const gits = seen.filter(isMeant);
	const end = performance.now() + patienceMs;
	for (;;) {
		// Nothing announces the end of a process that isn't our child.
		const running = new Set(allGits().map(({pid}) => pid));
		const left = gits.find(({pid}) => running.has(pid));
		if (left === undefined || performance.now() >= end) {
			return left && busy(roots, left);
		}

		await wait(lookEveryMs);
	}
};

/** Returns the gits that run in some folders; all of them if the system doesn't provide working directories. */
const gitsAt = async (roots: readonly string[]): Promise<readonly TreeProcess[]> => {
	const tops = await Promise.all(roots.map(root => realpath(root).catch(() => root)));
	const isAt = (path: string) => tops.some(top => path === top || path.startsWith(`${top}/`));
	return allGits().filter(({pid, words}) => {
		const folder = processFolder(pid);
		return folder === undefined || isAt(folder) || mentionedBy(pid, words).some(isAt);
	});
};

const allGits = (): readonly TreeProcess[] =>
	allProcesses().filter(({words}) => basename(words[0] ?? '') === 'git');

/** Values of arguments and of `GIT_` variables. */
const mentionedBy = (pid: number, words: readonly string[]): readonly string[] => {
	const variables = processEnvironment(pid).filter(variable => variable.startsWith('GIT_'));
	return [...words, ...variables].map(word => word.slice(word.indexOf('=') + 1));
};

const busy = ([root = '']: readonly string[], {pid, words}: TreeProcess): Obstacle => {
	// Our `-c` options would hide the command.
	const named = words.filter((word, position) => word !== '-c' && words[position - 1] !== '-c');
	const last = deepestOf(processTree(one => one.pid === pid));
	const waits = last === undefined ? '' : `, which waits for "${shortCommandOf(last)}"`;
	return {
		cause: 'locked',
		message: `A git command is at work in ${root} (process ${pid}: ${named.slice(0, 3).join(' ')}${waits}).`,
		hint: 'Let it finish, then try again.',
	};
};

/** Why a branch can't be moved now; `cause` is one of the journal's `RefusedCause`. */
export type Obstacle = {
	readonly cause:
		| 'dirty-checkout'
		| 'untracked-files'
		| 'ignored-files'
		| 'target-moved'
		| 'no-target'
		| 'in-progress'
		| 'locked'
		/** An earlier move was interrupted, and its files can't be told from the person's. */
		| 'interrupted'
		/** A disk is full. */
		| 'no-room'
		| 'other';
	readonly message: string;
	readonly hint: string;
	/** Paths of the files in the way. */
	readonly paths?: readonly string[];
};
