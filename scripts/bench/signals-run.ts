/*
Reads one transcript and tells what it took, as JSON: `node signals-run.ts KIND BYTES`.

A process of its own for each, so that memory and compiled code are its own.
*/
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {peakMemory} from './peak-memory.ts';
import {understand} from './signals-readers.ts';
import {streamOf, type TranscriptKind, transcriptKind} from './transcript.ts';

/** What reading one transcript took. */
export type Run = {
	/** Time of the processor, so that whoever else works on the machine counts less. */
	readonly cpuMs: number;
	/** The longest time for which nothing else of the process had its turn. */
	readonly longestBlockMs: number;
	/** The longest work between two such turns, in time of the processor: what is left of it on a machine that has time. */
	readonly longestWorkMs: number;
	readonly peakMiB: number;
	/** Signals. */
	readonly found: number;
};

const run = async (kind: TranscriptKind, length: number): Promise<Run> => {
	const delay = monitorEventLoopDelay({resolution: 1});
	delay.enable();
	const work = watchWork();
	// Code is compiled as it turns out to be needed; an agent that talks for hours pays for that once.
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

/** Looks at the processor's clock whenever the event loop comes round. */
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
