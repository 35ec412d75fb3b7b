import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {openTerminal} from '../../test/helpers/terminal.ts';
import type {Playground} from '../pictures/playground.ts';
import {peakMemory} from './peak-memory.ts';

/** A program that is measured from its start until a text appears, or by default until it exits. */
export type Contestant = {
	readonly name: string;
	/** Arguments of Node.js, or of another program. */
	readonly words: readonly string[];
	readonly program?: string;
	readonly sees?: string;
};

export type Measured = {
	readonly name: string;
	readonly medianMs: number;
	readonly minMs: number;
	/** Average CPU time of it and its children, if the system reports it. */
	readonly cpuMs: number;
	/** Maximum memory until then, if the system reports it. */
	readonly peakMiB: number | undefined;
};

type Conditions = {
	readonly place: Playground;
	readonly environment: Readonly<Record<string, string>>;
	readonly rounds: number;
};

type Sample = {readonly ms: number; readonly cpuMs: number; readonly peakMiB: number | undefined};

/** Measures all of them alternately, round by round, so that other load affects them equally. */
const measure = async (
	contestants: readonly Contestant[],
	conditions: Conditions,
): Promise<readonly Measured[]> => {
	const samples = new Map<Contestant, Sample[]>(contestants.map(one => [one, []]));
	for (let round = 0; round < conditions.rounds; round++) {
		for (const [contestant, taken] of samples) {
			taken.push(await sample(contestant, conditions));
		}
	}

	return [...samples].map(([{name}, taken]) => {
		const times = taken.map(({ms}) => ms).sort((one, other) => one - other);
		const peaks = taken.flatMap(({peakMiB}) => (peakMiB === undefined ? [] : [peakMiB]));
		return {
			name,
			medianMs: times[Math.floor(times.length / 2)] ?? Number.NaN,
			minMs: times[0] ?? Number.NaN,
			cpuMs: taken.reduce((sum, one) => sum + one.cpuMs, 0) / taken.length,
			peakMiB: peaks.length === 0 ? undefined : Math.max(...peaks),
		};
	});
};

/** Measures all of them with a warm compile cache: the first round, which fills caches like a first start, does not count. */
export const measureWarm = async (
	contestants: readonly Contestant[],
	{place, caches, rounds}: {place: Playground; caches: string; rounds: number},
): Promise<readonly Measured[]> => {
	const environment = {...place.environment, NODE_COMPILE_CACHE: join(caches, 'cache')};
	await measure(contestants, {place, environment, rounds: 1});
	return measure(contestants, {place, environment, rounds});
};

const sample = async (
	{words, program = process.execPath, sees}: Contestant,
	{place, environment}: Conditions,
): Promise<Sample> => {
	const startedMs = performance.now();
	const before = childrenMs('self');
	using terminal = openTerminal({
		program,
		words,
		directory: place.project,
		environment,
		columns: 200,
		rows: 50,
	});
	if (sees === undefined) {
		await terminal.exited;
		const ms = performance.now() - startedMs;
		return {ms, cpuMs: childrenMs('self') - before, peakMiB: undefined};
	}

	await terminal.until(sees);
	const ms = performance.now() - startedMs;
	const cpuMs = usedMs(terminal.process.pid);
	const peakMiB = await peakMemory(terminal.process.pid);
	// A program that is killed leaves no compile cache for the next round.
	if (program === process.execPath) {
		terminal.type('q');
	} else {
		terminal.process.kill();
	}

	await terminal.exited;
	return {ms, cpuMs, peakMiB};
};

/** Returns what a process has used of processors, with its children that have ended; finer than the hundredths of a second of its own `stat`. */
export const usedMs = (pid: number): number => {
	try {
		return readdirSync(`/proc/${pid}/task`)
			.map(task => readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
			.reduce((sum, ns) => sum + Number(ns) / 1e6, childrenMs(pid));
	} catch {
		return Number.NaN;
	}
};

/** Returns the CPU time of a process's ended children, in steps of ten milliseconds. */
const childrenMs = (pid: number | 'self'): number => {
	try {
		const field = statOf(pid);
		return (field(13) + field(14)) * 10;
	} catch {
		return Number.NaN;
	}
};

/** Reads the numbers after a process's name in its `stat`. */
export const statOf = (pid: number | 'self'): ((index: number) => number) => {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
	return index => Number(fields[index]);
};
