import {openTerminal} from '../../test/helpers/terminal.ts';
import type {Playground} from '../pictures/playground.ts';
import {peakMemory} from './peak-memory.ts';

/** A program that is measured from its start until something is seen; without that, until it has ended. */
export type Contestant = {
	readonly name: string;
	/** Arguments of Node.js. */
	readonly words: readonly string[];
	readonly sees?: string;
};

export type Measured = {
	readonly name: string;
	readonly medianMs: number;
	readonly minMs: number;
	/** The most memory it ever had until then; only where the system tells. */
	readonly peakMiB: number | undefined;
};

export type Conditions = {
	readonly place: Playground;
	readonly environment: Readonly<Record<string, string>>;
	readonly rounds: number;
};

type Sample = {readonly ms: number; readonly peakMiB: number | undefined};

/** Measures all of them in turn, round by round, so that whatever else the machine does meets them alike. */
export const measure = async (
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
			peakMiB: peaks.length === 0 ? undefined : Math.max(...peaks),
		};
	});
};

const sample = async (
	{words, sees}: Contestant,
	{place, environment}: Conditions,
): Promise<Sample> => {
	const startedMs = performance.now();
	using terminal = openTerminal({
		program: process.execPath,
		words,
		directory: place.project,
		environment,
		columns: 200,
		rows: 50,
	});
	if (sees === undefined) {
		await terminal.exited;
		return {ms: performance.now() - startedMs, peakMiB: undefined};
	}

	await terminal.until(sees);
	const ms = performance.now() - startedMs;
	const peakMiB = await peakMemory(terminal.process.pid);
	// A program that is killed leaves no compile cache for the next round.
	terminal.type('q');
	await terminal.exited;
	return {ms, peakMiB};
};
