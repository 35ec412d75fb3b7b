/*
Lets the parser and the floor read the same transcript alternately, and prints JSON: `node signals-race.ts KIND BYTES`.

Alternately and in one process, so that other load affects both equally.
*/
import {splitOnly, understand} from './signals-readers.ts';
import {streamOf, type TranscriptKind, transcriptKind} from './transcript.ts';

/** CPU time per lap, in milliseconds: the median of all laps. */
export type Race = {readonly floorMs: number; readonly parserMs: number};

const lapLength = 4_000_000;

const race = async (kind: TranscriptKind, length: number): Promise<Race> => {
	const lap = Math.min(lapLength, length / 8);
	const floorMs: number[] = [];
	const parserMs: number[] = [];
	for (let read = 0; read < length; read += lap) {
		floorMs.push(await timeOf(() => splitOnly(streamOf(kind, lap))));
		parserMs.push(await timeOf(() => understand(streamOf(kind, lap))));
	}

	return {floorMs: medianOf(floorMs), parserMs: medianOf(parserMs)};
};

const timeOf = async (read: () => Promise<number>): Promise<number> => {
	const before = process.cpuUsage();
	await read();
	const {user, system} = process.cpuUsage(before);
	return (user + system) / 1000;
};

const medianOf = (times: readonly number[]): number =>
	times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;

if (import.meta.main) {
	const [kind, bytes] = process.argv.slice(2);
	console.log(JSON.stringify(await race(transcriptKind(kind), Number(bytes))));
}
