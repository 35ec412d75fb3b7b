/*
Reads one transcript and prints its costs as JSON: `node signals-run.ts KIND BYTES`.

It is a process of its own for each, so that memory and compiled code are its own.
*/
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {peakMemory} from './peak-memory.ts';
import {understand} from './signals-readers.ts';
import {streamOf, type TranscriptKind, transcriptKind} from './transcript.ts';

/** Costs of reading one transcript. */
export type Run = {
	/** CPU time, which depends less on other load. */
	readonly cpuMs: number;
	/** Longest time in which nothing else in the process could run. */
	readonly longestBlockMs: number;
	/** Longest work between two event loop turns, in CPU time: the block on an idle machine. */
	readonly longestWorkMs: number;
	readonly peakMiB: number;
	/** Number of signals. */
	readonly found: number;
};

const run = async (kind: TranscriptKind, length: number): Promise<Run> => {
	const delay = monitorEventLoopDelay({resolution: 1});
	delay.enable();
	const work = watchWork();
	// Code is compiled on demand; an agent that talks for hours pays for that once.
	await understand(streamOf(kind, length / 8));
	const cpu = process.cpuUsage();
	const found = await understand(streamOf(kind, length));
	const {user, system} = process.cpuUsage(cpu);
	const longestWorkMs = work.stop();
	delay.disable();
	return {
		cpuMs: (user + system) / 1000,
		longestBlockMs: delay.max / 1e6,
		longestWorkMs,
		peakMiB: (await peakMemory(process.pid)) ?? process.resourceUsage().maxRSS / 1024,
		found,
	};
};

/** Reads the CPU clock in each turn of the event loop. */
const watchWork = () => {
	let longestMs = 0;
	let last = process.threadCpuUsage();
	let next: NodeJS.Immediate | undefined;

	const look = (): void => {
		const {user, system} = process.threadCpuUsage(last);
		longestMs = Math.max(longestMs, (user + system) / 1000);
		last = process.threadCpuUsage();
		next = setImmediate(look);
	};

	look();
	return {
		stop: (): number => {
			clearImmediate(next);
			return longestMs;
		},
	};
};

if (import.meta.main) {
	const [kind, bytes] = process.argv.slice(2);
	console.log(JSON.stringify(await run(transcriptKind(kind), Number(bytes))));
}
