import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {send} from '../../src/lib/process/processes.ts';
import {inShell} from '../../src/lib/text/shell-words.ts';
import {markedProcesses} from './marked-processes.ts';

/** What a child process may do at any moment, as shell lines. */
export const faults = {
	'is killed': 'kill -KILL $$',
	'stands still': 'kill -STOP $$',
	floods:
		'head -c 3000000 /dev/zero | tr "\\0" x; head -c 300000 /dev/zero | tr "\\0" y >&2; exit 3',
	// A forked Node.js gets its messages by descriptor 3.
	'closes its pipes': 'exec <&- >&- 2>&- 3>&-; exit 3',
	'closes its pipes and goes on': 'exec <&- >&- 2>&- 3>&-; exec sleep 1000',
} as const;

export type Fault = keyof typeof faults;

/** Returns whether it goes on until somebody ends it. */
export const goesOn = (fault: Fault): boolean =>
	fault === 'stands still' || fault === 'closes its pipes and goes on';

/** A fault that a child has once; its processes can be found. */
export type OnceFaulty = {
	/** Shell lines for the child, which continues after them only if it had the fault before. */
	readonly lines: string;
	/** File that exists since it had the fault. */
	readonly met: string;
	/** Ends the processes that go on. */
	readonly end: () => void;
};

/** Returns a fault that the next child in a place has once. */
export const onceFaulty = (folder: string, name: string, fault: Fault): OnceFaulty => {
	const met = join(folder, name);
	const mark = `FAULT=${met}`;
	const script = `echo $$ >${inShell(met)}; ${faults[fault]}`;
	return {
		lines: `test -e ${inShell(met)} || exec env ${inShell(mark)} sh -c ${inShell(script)}`,
		met,
		end: () => {
			const pids =
				process.platform === 'linux'
					? // Its own number may be one of another namespace.
						markedProcesses(mark).map(({pid}) => pid)
					: [Number(readFileSync(met, 'utf8'))];
			for (const pid of pids) {
				send(pid, 'SIGKILL');
			}
		},
	};
};
