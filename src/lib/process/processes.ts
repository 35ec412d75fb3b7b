import {execFileSync} from 'node:child_process';
import {platform} from 'node:os';
import process from 'node:process';
import {setTimeout as wait} from 'node:timers/promises';
import {errorCode} from '../files/reading.ts';
import {listProcesses, type ProcessEntry, readProcess} from './process-table.ts';

/** A PID with a start time, so that a reused PID is no match. */
export type ProcessIdentity = {
	readonly pid: number;
	/** The result of `startTime`. */
	readonly startTime: string;
};

/** Returns a process's start time, for comparison only, or nothing when there is none. On Linux it includes the boot. An ended child has one until it is reaped, so it exists right after a spawn. */
export const startTime = (pid: number): string | undefined => look(pid)?.startTime;

/** Returns the identity of a process; one that has ended matches nothing. */
export const identityOf = (pid: number): ProcessIdentity => ({
	pid,
	startTime: startTime(pid) ?? '',
});

/** Whether a process runs; a zombie doesn't. */
export const isAlive = ({pid, startTime: known}: ProcessIdentity): boolean => {
	const found = look(pid);
	return found !== undefined && !found.isZombie && found.startTime === known;
};

export type EndOptions = {
	/** Milliseconds between SIGTERM and SIGKILL. */
	readonly graceMs: number;
	/** Who gets SIGTERM; the leader of a namespace would end all members at once. */
	readonly polite?: 'all' | 'members';
};

/**
Ends the process group of a leader: SIGTERM, then SIGKILL after `graceMs`; returns whether nothing is left.

The leader must have been spawned `detached`. Where the group can't be proven to be the leader's, as on macOS once the leader is gone, nothing is sent and the result is true.
*/
export const endGroup = async (
	leader: ProcessIdentity,
	{graceMs, polite = 'all'}: EndOptions,
): Promise<boolean> => {
	if (!isGroupOf(leader)) {
		return true;
	}

	const isGone = () => (platform() === 'linux' ? !isGroupOf(leader) : !send(-leader.pid, 0));
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

/** Polls until a condition holds. Nothing announces the end of a process that isn't our child. */
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
	platform() === 'linux' ? readProcess(pid) : askPs(pid);

const askPs = (pid: number): Look | undefined => {
	try {
		const env = {...process.env, LC_ALL: 'C', TZ: 'UTC'};
		const args = ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)];
		const line = execFileSync('ps', args, {env, encoding: 'utf8', stdio: 'pipe'}).trim();
		const [state = '', ...started] = line.split(/\s+/);
		return {startTime: started.join(' '), isZombie: state.startsWith('Z')};
	} catch {
		return undefined;
	}
};

/** Whether the group is the leader's and has processes left. */
const isGroupOf = (leader: ProcessIdentity): boolean => {
	if (platform() !== 'linux') {
		return isAlive(leader);
	}

	const current = startTime(leader.pid);
	const isOther = current !== undefined && current !== leader.startTime;
	return !isOther && isGroup(leader.pid) && listProcesses().some(entry => isMember(entry, leader));
};

/** Whether a group has any process, be it a zombie or another user's; the kernel tells without a look at all processes. */
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

/** A member may outlive its leader; it has the leader's session and boot, and is not older. */
const isMember = (entry: ProcessEntry, leader: ProcessIdentity): boolean => {
	const [boot, ticks] = leader.startTime.split('-');
	return (
		entry.group === leader.pid &&
		entry.session === leader.pid &&
		entry.startTime.startsWith(`${boot}-`) &&
		entry.ticks >= Number(ticks)
	);
};
