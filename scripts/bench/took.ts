import {readdir, readFile} from 'node:fs/promises';
import {performance} from 'node:perf_hooks';

/** Time of some work: wall-clock time, and CPU time of this process and its children. */
export type Took = {
	readonly ms: number;
	/** CPU time, which does not grow with other load; NaN if the system does not report it. */
	readonly cpuMs: number;
};

/** Does some work and returns its time, without the lookup itself. */
export const took = async (work: () => Promise<unknown>): Promise<Took> => {
	const childrenBefore = await ticksOfChildren();
	const ownBefore = (await statOf('self')).ticks;
	const started = performance.now();
	await work();
	const ms = performance.now() - started;
	const own = (await statOf('self')).ticks - ownBefore;
	return {ms, cpuMs: (own + (await ticksOfChildren()) - childrenBefore) * tickMs};
};

/** Returns the minimum of each, since other load only adds to it. */
export const leastOf = (all: readonly Took[]): Took => ({
	ms: Math.min(...all.map(({ms}) => ms)),
	cpuMs: Math.min(...all.map(({cpuMs}) => cpuMs)),
});

/** Length of Linux's clock tick, in milliseconds. */
const tickMs = 10;

/** Returns the ticks of running children; those of ended ones are counted in their parents. */
const ticksOfChildren = async (): Promise<number> => {
	const processes = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name));
	const stats = await Promise.all(processes.map(statOf));
	return stats
		.filter(({parent}) => parent === process.pid)
		.reduce((all, {ticks}) => all + ticks, 0);
};

/** Reads a process's `stat`, in which the name of the program is in parentheses and may contain any text. */
const statOf = async (pid: string): Promise<{parent: number; ticks: number}> => {
	const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const [user, system, ofUser, ofSystem] = fields.slice(11, 15).map(Number);
	return {
		parent: Number(fields[1]),
		ticks: (user ?? Number.NaN) + (system ?? 0) + (ofUser ?? 0) + (ofSystem ?? 0),
	};
};
