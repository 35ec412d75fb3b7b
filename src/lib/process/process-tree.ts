import {execFileSync} from 'node:child_process';
import {platform} from 'node:os';
import {listProcesses, wordsOf} from './process-table.ts';

/** A process and who started it. */
export type TreeProcess = {
	readonly pid: number;
	readonly parent: number;
	/** How it was called, its name first. */
	readonly words: readonly string[];
};

/**
Returns the processes that are meant, and all that they have started: parents first.

What has left the tree, as a daemon does, is not in it.
*/
export const processTree = (isHead: (one: TreeProcess) => boolean): readonly TreeProcess[] => {
	const all = allProcesses();
	const tree = all.filter(isHead);
	for (const member of tree) {
		tree.push(...all.filter(one => one.parent === member.pid && !tree.includes(one)));
	}

	return tree;
};

/** Returns the member that the others wait for: the last of the line. */
export const deepestOf = (tree: readonly TreeProcess[]): TreeProcess | undefined =>
	tree.slice(1).findLast(({pid}) => !tree.some(({parent}) => parent === pid));

/** Returns the beginning of the words that a process was started with, for a person to know it by. */
export const shortCommandOf = ({words}: TreeProcess): string => words.join(' ').slice(0, 80);

/** Returns everything that runs on this machine, as far as this user may see it. */
export const allProcesses = (): readonly TreeProcess[] =>
	platform() === 'linux'
		? listProcesses().map(({pid, parent}) => ({pid, parent, words: wordsOf(pid)}))
		: fromPs();

const fromPs = (): readonly TreeProcess[] =>
	execFileSync('ps', ['-axo', 'pid=,ppid=,command='], {encoding: 'utf8'})
		.split('\n')
		.map(line => line.trim().split(/\s+/))
		.map(([pid, parent, ...words]) => ({pid: Number(pid), parent: Number(parent), words}));
