import {execFileSync} from 'node:child_process';
import {platform} from 'node:os';
import {commandOf, listProcesses} from './process-table.ts';

/** A process and who started it. */
export type TreeProcess = {
	readonly pid: number;
	readonly parent: number;
	/** The words it was started with. */
	readonly command: string;
};

/**
Returns the processes that are meant, and all that they have started: parents first.

What has left the tree, as a daemon does, is not in it.
*/
export const processTree = (isHead: (one: TreeProcess) => boolean): readonly TreeProcess[] => {
	const all = platform() === 'linux' ? fromProc() : fromPs();
	const tree = all.filter(isHead);
	for (const member of tree) {
		tree.push(...all.filter(one => one.parent === member.pid && !tree.includes(one)));
	}

	return tree;
};

/** Returns the member that the others wait for: the last of the line. */
export const deepestOf = (tree: readonly TreeProcess[]): TreeProcess | undefined =>
	tree.slice(1).findLast(({pid}) => !tree.some(({parent}) => parent === pid));

const fromProc = (): readonly TreeProcess[] =>
	listProcesses().map(({pid, parent}) => ({pid, parent, command: commandOf(pid)}));

const fromPs = (): readonly TreeProcess[] =>
	execFileSync('ps', ['-axo', 'pid=,ppid=,command='], {encoding: 'utf8'})
		.split('\n')
		.map(line => line.trim().split(/\s+/))
		.map(([pid, parent, ...words]) => ({
			pid: Number(pid),
			parent: Number(parent),
			command: words.join(' '),
		}));
