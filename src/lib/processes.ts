import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {platform} from 'node:os';
import process from 'node:process';
import {setTimeout as wait} from 'node:timers/promises';
import {Failure} from './failure.ts';

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

/** Whether a process still runs. A zombie doesn't: it has ended, and nobody has noticed yet. */
export const isAlive = ({pid, startTime: known}: ProcessIdentity): boolean => {
	const found = look(pid);
	return found !== undefined && !found.isZombie && found.startTime === known;
};

/**
Ends the process group that `leader` leads: a polite signal, then SIGKILL to what is left after `graceMs`. Returns whether nothing is left.

The leader must have been started in a session of its own (`detached`). Where it can't be proven that the group is still the leader's, as on macOS once the leader is gone, nothing is sent and the answer is yes.
*/
export const endGroup = async (
	leader: ProcessIdentity,
	{graceMs}: {readonly graceMs: number},
): Promise<boolean> => {
	if (!isGroupOf(leader)) {
		return true;
	}

	const isGone = () => (platform() === 'linux' ? !isGroupOf(leader) : !send(-leader.pid, 0));
	send(-leader.pid, 'SIGTERM');
	send(-leader.pid, 'SIGCONT');
	if (await until(isGone, graceMs)) {
		return true;
	}

	send(-leader.pid, 'SIGKILL');
	return until(isGone, settleMs);
};

/**
Ends every process whose environment held `NAME=VALUE` when it started, wherever it has moved since, and returns those that survive.

It catches what left its process group, and it only works on Linux; elsewhere it finds nothing. The value must be one that no other process can have.
*/
export const sweep = async (environmentEntry: string): Promise<readonly ProcessIdentity[]> => {
	if (!/^[^=]+=./.test(environmentEntry)) {
		throw new Failure('internal', `A sweep needs NAME=VALUE, not “${environmentEntry}”.`);
	}

	for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
		const found = findMarked(environmentEntry);
		if (found.length === 0) {
			return [];
		}

		for (const marked of found.filter(isAlive)) {
			send(marked.pid, signal);
			send(marked.pid, 'SIGCONT');
		}

		await until(() => !found.some(isAlive), settleMs);
	}

	return findMarked(environmentEntry);
};

/** How long the kernel may take to carry out a signal on a busy machine. */
const settleMs = 1000;
const lookEveryMs = 20;

type Look = {readonly startTime: string; readonly isZombie: boolean};

type Stat = Look & {
	readonly pid: number;
	readonly group: number;
	readonly session: number;
	/** Start time in clock ticks since the boot. */
	readonly ticks: number;
};

const look = (pid: number): Look | undefined =>
	platform() === 'linux' ? readStat(pid) : askPs(pid);

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

/** Reads the fields behind the name, which may itself hold spaces and brackets. */
const readStat = (pid: number): Stat | undefined => {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
		const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
		const [state = '', , group, session] = fields;
		const ticks = Number(fields[19]);
		return {
			pid,
			startTime: `${bootId()}-${ticks}`,
			isZombie: 'ZXx'.includes(state),
			group: Number(group),
			session: Number(session),
			ticks,
		};
	} catch {
		return undefined;
	}
};

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);

/** Every process of this machine that runs; none where there is no `/proc`. */
const listStats = (): readonly Stat[] => {
	try {
		const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
		const found = pids.map(readStat).filter(stat => stat !== undefined);
		return found.filter(({isZombie}) => !isZombie);
	} catch {
		return [];
	}
};

/** Whether the group is proven to be the one that `leader` started, and has processes left. */
const isGroupOf = (leader: ProcessIdentity): boolean => {
	if (platform() !== 'linux') {
		return isAlive(leader);
	}

	const current = startTime(leader.pid);
	const isOther = current !== undefined && current !== leader.startTime;
	return !isOther && listStats().some(stat => isMember(stat, leader));
};

/** A member may outlive its leader; it is then of the leader's session and boot, and not older. */
const isMember = (stat: Stat, leader: ProcessIdentity): boolean => {
	const [boot, ticks] = leader.startTime.split('-');
	return (
		stat.group === leader.pid &&
		stat.session === leader.pid &&
		stat.startTime.startsWith(`${boot}-`) &&
		stat.ticks >= Number(ticks)
	);
};

const findMarked = (environmentEntry: string): readonly ProcessIdentity[] =>
	listStats()
		.filter(({pid}) => pid !== process.pid && environmentOf(pid).includes(environmentEntry))
		.map(({pid, startTime: started}) => ({pid, startTime: started}));

const environmentOf = (pid: number): readonly string[] => {
	try {
		return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
	} catch {
		return [];
	}
};

/** Sends a signal to a process, or to a group when the id is negative; false when that is gone. */
const send = (pid: number, signal: NodeJS.Signals | 0): boolean => {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
};

/** Waits until a condition holds. Nothing announces the end of a process that isn't our child. */
const until = async (holds: () => boolean, limitMs: number): Promise<boolean> => {
	const end = performance.now() + limitMs;
	while (!holds()) {
		if (performance.now() >= end) {
			return false;
		}

		await wait(lookEveryMs);
	}

	return true;
};
