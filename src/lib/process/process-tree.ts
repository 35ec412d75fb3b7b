import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {platform} from 'node:os';
import {commandOf, listProcesses} from './process-table.ts';

/** A process and what it has done so far. */
export type TreeProcess = {
	readonly pid: number;
	readonly parent: number;
	/** The words it was started with. */
	readonly command: string;
	/** Its time on the processor and, where the system tells, the bytes it has moved; good for comparing only. */
	readonly done: string;
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
	listProcesses().map(({pid, parent}) => ({
		pid,
		parent,
		command: commandOf(pid),
		done: `${timeOf(pid)} ${movedOf(pid)}`,
	}));

/** Time in user and in kernel mode; the fields stand behind the name, which may itself hold spaces and brackets. */
const timeOf = (pid: number): string => {
	const text = readText(`/proc/${pid}/stat`);
	return text
		.slice(text.lastIndexOf(')') + 2)
		.split(' ')
		.slice(11, 13)
		.join(' ');
};

/** The first lines: characters read and written, by files, pipes and connections alike. */
const movedOf = (pid: number): string =>
	readText(`/proc/${pid}/io`).split('\n').slice(0, 2).join(' ');

const readText = (path: string): string => {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
};

const fromPs = (): readonly TreeProcess[] =>
	execFileSync('ps', ['-axo', 'pid=,ppid=,time=,command='], {encoding: 'utf8'})
		.split('\n')
		.map(line => line.trim().split(/\s+/))
		.map(([pid, parent, done = '', ...words]) => ({
			pid: Number(pid),
			parent: Number(parent),
			command: words.join(' '),
			done,
		}));
