import {platform} from 'node:os';
import process from 'node:process';
import {setTimeout as wait} from 'node:timers/promises';
import {attempt} from '../failure.ts';
import {errorCode} from '../files/reading.ts';
import {askPs, listProcesses, type ProcessEntry, readProcess} from './process-table.ts';

/** A PID with a start time, so that a reused PID is no match. */
export type ProcessIdentity = {
	readonly pid: number;
	/** The result of `startTime`. */
	readonly startTime: string;
};

/** Returns a process's start time, for comparison only; `undefined` if there is no such process. On Linux it includes the boot. An ended child has one until it is reaped, so it exists right after a spawn. */
export const startTime = (pid: number): string | undefined => look(pid)?.startTime;

/** Returns the identity of a process; that of an ended one matches no process. */
export const identityOf = (pid: number): ProcessIdentity => ({
	pid,
	startTime: startTime(pid) ?? '',
});

/** Returns whether a process runs; a zombie doesn't. */
export const isAlive = ({pid, startTime: known}: ProcessIdentity): boolean => {
	const found = look(pid);
	return found !== undefined && !found.isZombie && found.startTime === known;
};

export type EndOptions = {
	/** Milliseconds between SIGTERM and SIGKILL. */
	readonly graceMs: number;
	/** Processes that get SIGTERM. Not the namespace's init process: its end would kill all members. */
	readonly polite?: 'all' | 'members';
	/** True if the leader is a child of this process, so that its id can't have been reused unnoticed. */
	readonly isChild?: boolean;
	/** System whose process table is used. */
	readonly system?: NodeJS.Platform;
};

/**
Ends the process group of a leader: SIGTERM, then SIGKILL after `graceMs`; returns whether nothing is left.

The leader must have been spawned `detached`. If the group can't be proven to be the leader's, as on macOS once a leader that isn't our child is gone, it sends nothing and returns true.
*/
export const endGroup = async (
	leader: ProcessIdentity,
	{graceMs, polite = 'all', isChild = false, system = platform()}: EndOptions,
): Promise<boolean> => {
	if (!isGroupOf(leader, isChild, system)) {
		return true;
	}

	const isGone = () =>
		system === 'linux' ? !isGroupOf(leader, isChild, system) : !send(-leader.pid, 0);
	for (const signal of ['SIGTERM', 'SIGCONT'] as const) {
		for (const pid of polite === 'all' ? [-leader.pid] : membersOf(leader)) {
			send(pid, signal);
		}
	}

	if (await until(isGone, graceMs)) {
		return true;
	}

	send(-leader.pid, 'SIGKILL');
	return until(isGone, settleMs);
};

/** Time for the kernel to deliver a signal on a busy machine. */
export const settleMs = 1000;

/** Sends a signal to a process, or to a group by a negative id; returns whether it exists. */
export const send = (pid: number, signal: NodeJS.Signals | 0): boolean => {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
};

/** Polls until a condition holds: nothing announces the end of a process that isn't our child. */
export const until = async (holds: () => boolean, limitMs: number): Promise<boolean> => {
	const end = performance.now() + limitMs;
	while (!holds()) {
		if (performance.now() >= end) {
			return false;
		}

		await wait(lookEveryMs);
	}

	return true;
};

const lookEveryMs = 20;

type Look = {readonly startTime: string; readonly isZombie: boolean};

const look = (pid: number): Look | undefined =>
	platform() === 'linux' ? readProcess(pid) : lookByPs(pid);

const lookByPs = (pid: number): Look | undefined => {
	const line = attempt(() => askPs('-o', 'stat=', '-o', 'lstart=', '-p', `${pid}`).trim());
	const [state = '', ...started] = line?.split(/\s+/) ?? [];
	return line ? {startTime: started.join(' '), isZombie: state.startsWith('Z')} : undefined;
};

/** Returns whether the group is the leader's and has processes left. */
const isGroupOf = (leader: ProcessIdentity, isChild: boolean, system: NodeJS.Platform): boolean => {
	if (system !== 'linux') {
		// The kernel doesn't reuse the id of a group that has processes.
		const mayOutlive = isChild && startTime(leader.pid) === undefined && isGroup(leader.pid);
		return isAlive(leader) || mayOutlive;
	}

	const current = startTime(leader.pid);
	const isOther = current !== undefined && current !== leader.startTime;
	return !isOther && isGroup(leader.pid) && listProcesses().some(entry => isMember(entry, leader));
};

/** Returns whether a group has any process, including zombies and another user's, without listing all processes. */
const isGroup = (id: number): boolean => {
	try {
		return process.kill(-id, 0);
	} catch (error) {
		return errorCode(error) !== 'ESRCH';
	}
};

const membersOf = (leader: ProcessIdentity): readonly number[] =>
	listProcesses()
		.filter(entry => isMember(entry, leader) && entry.pid !== leader.pid)
		.map(({pid}) => pid);

/** Returns whether a process belongs to the leader's group. It may outlive the leader; it has the leader's session and boot, and isn't older. */
const isMember = (entry: ProcessEntry, leader: ProcessIdentity): boolean => {
	const [boot, ticks] = leader.startTime.split('-');
	return (
		entry.group === leader.pid &&
		entry.session === leader.pid &&
		entry.startTime.startsWith(`${boot}-`) &&
		entry.ticks >= Number(ticks)
	);
};
