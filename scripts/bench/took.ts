import {readdir, readFile} from 'node:fs/promises';
import {performance} from 'node:perf_hooks';

/** What some work took: time that passed, and time of processors, of this process and of all that it started. */
export type Took = {
	readonly ms: number;
	/** A busy machine makes whoever waits wait longer, but does not make the work more. Not a number where the system does not tell. */
	readonly cpuMs: number;
};

/** Does some work and returns what it took; to look it up is not counted. */
export const took = async (work: () => Promise<unknown>): Promise<Took> => {
	const childrenBefore = await ticksOfChildren();
	const ownBefore = (await statOf('self')).ticks;
	const started = performance.now();
	await work();
	const ms = performance.now() - started;
	const own = (await statOf('self')).ticks - ownBefore;
	return {ms, cpuMs: (own + (await ticksOfChildren()) - childrenBefore) * tickMs};
};

/** Returns the least of each: what others did meanwhile only adds to it. */
export const leastOf = (all: readonly Took[]): Took => ({
	ms: Math.min(...all.map(({ms}) => ms)),
	cpuMs: Math.min(...all.map(({cpuMs}) => cpuMs)),
});

/** What Linux counts in. */
const tickMs = 10;

/** Those that still run; what others took is counted where they were started. */
const ticksOfChildren = async (): Promise<number> => {
	const processes = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name));
	const stats = await Promise.all(processes.map(statOf));
	return stats
		.filter(({parent}) => parent === process.pid)
		.reduce((all, {ticks}) => all + ticks, 0);
};

/** The name of a program stands in brackets and may hold anything. */
const statOf = async (pid: string): Promise<{parent: number; ticks: number}> => {
	const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const [user, system, ofUser, ofSystem] = fields.slice(11, 15).map(Number);
	return {
		parent: Number(fields[1]),
		ticks: (user ?? Number.NaN) + (system ?? 0) + (ofUser ?? 0) + (ofSystem ?? 0),
	};
};
