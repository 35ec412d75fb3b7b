import type {Caller} from '../../control/caller.ts';
import type {Asker} from '../../events/event.ts';
import {defined} from '../../lib/defined.ts';
import {commandOf, lineOf, nameOf, terminalOf} from '../../lib/process/process-table.ts';

/** How much of a command and of a line of processes is kept; the journal is read by people. */
const longestWay = 1000;
const mostParents = 10;

/** Returns what the journal tells of who asks; nothing where the system doesn't tell. */
export const askerOf = (caller: Caller, token?: string): Asker | undefined => {
	if (caller.kind !== 'process') {
		return undefined;
	}

	const {pid} = caller;
	return {
		way: commandOf(pid).slice(0, longestWay),
		pid,
		tty: terminalOf(pid) ?? null,
		parents: lineOf(pid)
			.slice(1, 1 + mostParents)
			.map(parent => `${parent} ${nameOf(parent)}`),
		...defined({token}),
	};
};
