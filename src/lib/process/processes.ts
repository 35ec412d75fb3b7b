import {execFileSync} from 'node:child_process';
import {platform} from 'node:os';
import process from 'node:process';
import {setTimeout as wait} from 'node:timers/promises';
import {listProcesses, type ProcessEntry, readProcess} from './process-table.ts';

/** A process that can't be mistaken for a later one with the same id. */
export type ProcessIdentity = {
	readonly pid: number;
	/** What `startTime` returned while the process was known to be the right one. */
	readonly startTime: string;
};

/**
Returns when a process started, in a form that is good only for comparing, or nothing when there is none.

On Linux it names the boot as well, so that an identity kept on disk means nothing after a restart of the machine. A child that has ended has one until its end was noticed, so right after a spawn there always is one.
*/
export const startTime = (pid: number): string | undefined => look(pid)?.startTime;

/** Returns what a process is known by from now on. One that is gone is known by nothing, so that no later one is taken for it. */
export const identityOf = (pid: number): ProcessIdentity => ({
	pid,
	startTime: startTime(pid) ?? '',
});

/** Whether a process still runs. A zombie doesn't: it has ended, and nobody has noticed yet. */
export const isAlive = ({pid, startTime: known}: ProcessIdentity): boolean => {
	const found = look(pid);
	return found !== undefined && !found.isZombie && found.startTime === known;
};

export type EndOptions = {
	/** Between the polite signal and SIGKILL, in milliseconds. */
	readonly graceMs: number;
	/** Whom the polite signal is for; a leader that only holds the others together would end them all at once. */
	readonly polite?: 'all' | 'members';
};

/**
Ends the process group that `leader` leads: a polite signal, then SIGKILL to what is left after `graceMs`. Returns whether nothing is left.

The leader must have been started in a session of its own (`detached`). Where it can't be proven that the group is still the leader's, as on macOS once the leader is gone, nothing is sent and the answer is yes.
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

/** How long the kernel may take to carry out a signal on a busy machine. */
export const settleMs = 1000;

/** Sends a signal to a process, or to a group when the id is negative; false when that is gone. */
export const send = (pid: number, signal: NodeJS.Signals | 0): boolean => {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
};

/** Waits until a condition holds. Nothing announces the end of a process that isn't our child. */
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

/** Whether the group is proven to be the one that `leader` started, and has processes left. */
const isGroupOf = (leader: ProcessIdentity): boolean => {
	if (platform() !== 'linux') {
		return isAlive(leader);
	}

	const current = startTime(leader.pid);
	const isOther = current !== undefined && current !== leader.startTime;
	return !isOther && listProcesses().some(entry => isMember(entry, leader));
};

const membersOf = (leader: ProcessIdentity): readonly number[] =>
	listProcesses()
		.filter(entry => isMember(entry, leader) && entry.pid !== leader.pid)
		.map(({pid}) => pid);

/** A member may outlive its leader; it is then of the leader's session and boot, and not older. */
const isMember = (entry: ProcessEntry, leader: ProcessIdentity): boolean => {
	const [boot, ticks] = leader.startTime.split('-');
	return (
		entry.group === leader.pid &&
		entry.session === leader.pid &&
		entry.startTime.startsWith(`${boot}-`) &&
		entry.ticks >= Number(ticks)
	);
};
