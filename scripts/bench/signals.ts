import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {printColumns} from './columns.ts';
import type {Race} from './signals-race.ts';
import type {Run} from './signals-run.ts';
import {type TranscriptKind, transcriptKinds} from './transcript.ts';

const megabyte = 1_000_000;
const rounds = 2;
const raceLength = 256 * megabyte;

/** Returns whether a kind is slow on purpose, and is read in smaller amounts. */
const isBurden = (kind: TranscriptKind): boolean => kind === 'signals' || kind === 'hostile blocks';

/**
Measures the speed of parsing agents' words, beside the minimum of any line reader: decoding the bytes and splitting them at newlines.

Speed, memory and blocks come from a process for each reading, the best of several rounds; the ratio comes from a race in which both read alternately. `isFull` reads a gigabyte of each.
*/
export const benchSignals = async (isFull: boolean): Promise<void> => {
	console.log(
		`Best of ${rounds} rounds, in time of the processor; a block is time without a turn.\n`,
	);
	const rows: string[][] = [];
	for (const kind of transcriptKinds()) {
		const length = (isFull ? 1000 : 64) * megabyte * (isBurden(kind) ? 1 / 64 : 1);
		rows.push(await rowOf(kind, length));
	}

	printColumns(
		[
			'',
			'size',
			'speed',
			'to the floor',
			'twice the size',
			'longest block',
			'of it work',
			'peak memory',
		],
		rows,
	);
};

const rowOf = async (kind: TranscriptKind, length: number): Promise<string[]> => {
	const {floorMs, parserMs} = await raceSignals(kind, Math.min(length, raceLength));
	const half = await best(kind, length / 2);
	const whole = await best(kind, length);
	return [
		kind,
		`${(length / megabyte).toFixed(0)} MB`,
		`${(length / megabyte / (whole.cpuMs / 1000)).toFixed(1)} MB/s`,
		`×${(floorMs / parserMs).toFixed(2)}`,
		`×${(whole.cpuMs / half.cpuMs).toFixed(2)}`,
		`${whole.longestBlockMs.toFixed(0)} ms`,
		`${whole.longestWorkMs.toFixed(0)} ms`,
		`${whole.peakMiB.toFixed(0)} MiB`,
	];
};

/** Returns the minimum of each number, since other load only adds to them. */
const best = async (kind: TranscriptKind, length: number): Promise<Run> => {
	const runs: Run[] = [];
	for (let round = 0; round < rounds; round += 1) {
		runs.push(await runSignals(kind, length));
	}

	const least = (name: keyof Run): number => Math.min(...runs.map(run => run[name]));
	return {
		cpuMs: least('cpuMs'),
		longestBlockMs: least('longestBlockMs'),
		longestWorkMs: least('longestWorkMs'),
		peakMiB: Math.max(...runs.map(({peakMiB}) => peakMiB)),
		found: least('found'),
	};
};

/** Reads one transcript in a process of its own. */
export const runSignals = (kind: TranscriptKind, length: number): Promise<Run> =>
	resultOf('signals-run.ts', kind, length);

/** Lets the parser and the floor read alternately in a process of their own. */
const raceSignals = (kind: TranscriptKind, length: number): Promise<Race> =>
	resultOf('signals-race.ts', kind, length);

const resultOf = async <Result>(
	program: string,
	kind: TranscriptKind,
	length: number,
): Promise<Result> => {
	const words = [join(import.meta.dirname, program), kind, String(Math.floor(length))];
	const {stdout} = await promisify(execFile)(process.execPath, words);
	return JSON.parse(stdout);
};
