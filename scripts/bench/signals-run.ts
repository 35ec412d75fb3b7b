/*
Reads one transcript and tells what it took, as JSON: `node signals-run.ts READER KIND BYTES`.

A process of its own for each, so that memory and compiled code are its own.
*/
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {givingWay} from '../../src/lib/giving-way.ts';
import {createParser} from '../../src/signals/parser.ts';
import {type TranscriptKind, transcript, transcriptKinds} from './transcript.ts';

/** What reading one transcript took. */
export type Run = {
	/** Time of the processor, so that whoever else works on the machine counts less. */
	readonly cpuMs: number;
	/** The longest time for which nothing else of the process had its turn. */
	readonly longestBlockMs: number;
	/** The longest work between two such turns, in time of the processor: what is left of it on a machine that has time. */
	readonly longestWorkMs: number;
	readonly peakMiB: number;
	/** Signals, or lines. */
	readonly found: number;
};

export type ReaderName = keyof typeof readers;

/** The ways to read: the parser, and what no reader of lines can do without. */
const readers = {
	parser: async (stream: AsyncIterable<Uint8Array>): Promise<number> => {
		const parser = createParser();
		let found = 0;
		for await (const piece of givingWay(stream)) {
			found += parser.push(piece).length;
		}

		return found + parser.end().length;
	},
	floor: async (stream: AsyncIterable<Uint8Array>): Promise<number> => {
		const decoder = new TextDecoder();
		let rest = '';
		let found = 0;
		for await (const chunk of stream) {
			const lines = decoder.decode(chunk, {stream: true}).split('\n');
			lines[0] = rest + (lines[0] ?? '');
			// Nobody can keep all of an endless line.
			rest = (lines.pop() ?? '').slice(-chunk.length);
			found += lines.length;
		}

		return found;
	},
} as const;

const run = async (
	read: (stream: AsyncIterable<Uint8Array>) => Promise<number>,
	kind: TranscriptKind,
	length: number,
): Promise<Run> => {
	const delay = monitorEventLoopDelay({resolution: 1});
	delay.enable();
	const work = watchWork();
	// Code is compiled as it turns out to be needed; an agent that talks for hours pays for that once.
	await read(streamOf(kind, length / 8));
	const cpu = process.cpuUsage();
	const found = await read(streamOf(kind, length));
	const {user, system} = process.cpuUsage(cpu);
	const longestWorkMs = work.stop();
	delay.disable();
	return {
		cpuMs: (user + system) / 1000,
		longestBlockMs: delay.max / 1e6,
		longestWorkMs,
		peakMiB: process.resourceUsage().maxRSS / 1024,
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

async function* streamOf(kind: TranscriptKind, length: number): AsyncGenerator<Uint8Array> {
	yield* transcript(kind, length);
}

if (import.meta.main) {
	const [reader = '', kind, bytes] = process.argv.slice(2);
	const known = transcriptKinds().find(each => each === kind);
	if (!(reader === 'parser' || reader === 'floor') || known === undefined) {
		throw new Error('node signals-run.ts parser|floor KIND BYTES');
	}

	console.log(JSON.stringify(await run(readers[reader], known, Number(bytes))));
}
