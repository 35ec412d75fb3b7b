import {randomBytes} from 'node:crypto';
import {closeSync, existsSync, openSync, readlinkSync, unlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import process from 'node:process';
import {openFiles} from '../lib/process/open-files.ts';
import {listProcesses} from '../lib/process/process-table.ts';

/** Who is at the other end of a connection. */
export type Caller =
	| {readonly kind: 'process'; readonly pid: number}
	/** Nobody that the table of processes lists: it hides, or has a table of its own. */
	| {readonly kind: 'hidden'}
	/** The system has no such table. */
	| {readonly kind: 'unknown'};

/** What a client shows by holding it who it is. */
export type Token = {
	/** What it must hold open; absent where the system doesn't tell who holds what. */
	readonly hold?: string;
	readonly caller: () => Caller;
	readonly close: () => void;
};

/** For those who are not asked. */
export const noToken: Token = {caller: () => ({kind: 'unknown'}), close: () => {}};

/**
Makes a token for one connection, in the folder of the socket.

Node.js doesn't say which process is at the other end of a socket, and what a client says of itself is worth nothing. But who holds a file open stands in the table of processes. This one has no name in any folder, so only those can open it whom its path was told, and nothing of it is left over.

Where none can be made, as on a full disk, nobody can show who they are.
*/
export const makeToken = (socket: string): Token => {
	if (!existsSync('/proc/self/fd')) {
		return noToken;
	}

	try {
		return tokenIn(dirname(socket));
	} catch {
		return {caller: () => ({kind: 'hidden'}), close: () => {}};
	}
};

const tokenIn = (folder: string): Token => {
	const file = join(folder, `.${randomBytes(8).toString('hex')}`);
	const own = openSync(file, 'wx', 0o600);
	unlinkSync(file);
	const hold = `/proc/${process.pid}/fd/${own}`;
	const link = readlinkSync(hold);
	let found: Caller = {kind: 'hidden'};
	return {
		hold,
		caller: () => {
			if (found.kind === 'hidden') {
				found = holderOf(link);
			}

			return found;
		},
		close: () => closeSync(own),
	};
};

/** Shows who we are for as long as we ask; returns how to stop. What can't be opened is not ours to judge. */
export const holdToken = (path: string): (() => void) => {
	try {
		const descriptor = openSync(path, 'r');
		return () => closeSync(descriptor);
	} catch {
		return () => {};
	}
};

/** Most who ask have just started, so the youngest are looked at first. */
const holderOf = (link: string): Caller => {
	const others = listProcesses().filter(({pid}) => pid !== process.pid);
	const holder = others
		.toSorted((one, other) => other.ticks - one.ticks)
		.find(({pid}) => openFiles(pid).includes(link));
	return holder === undefined ? {kind: 'hidden'} : {kind: 'process', pid: holder.pid};
};
