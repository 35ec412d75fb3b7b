import {readFileSync, readlinkSync} from 'node:fs';
import process from 'node:process';
import {attempt} from '../attempt.ts';
import {mountsOf, ownId} from './process-table.ts';

/** Returns the namespace of processes that we are in, and the boot it belongs to; nothing where the system has none. Good for comparing only. */
export const ownNamespace = (): {readonly boot: string; readonly id: string} | undefined =>
	attempt(() => ({
		boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
		id: readlinkSync('/proc/self/ns/pid'),
	}));

/**
Whether our namespace of processes was made inside of a system that runs, as `unshare` and `bwrap` do, and not with one of its own, as a container is.

The table of processes of the one outside is then still mounted, if below ours, or is the only one there.
*/
export const isNested = (): boolean => {
	const tables = mountsOf(ownId()).filter(line => line.split(' ')[4] === '/proc');
	return tables.length > 1 || ownId() !== process.pid;
};
