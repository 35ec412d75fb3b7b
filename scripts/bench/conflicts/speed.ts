import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {performance} from 'node:perf_hooks';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {compare, confirmedBy} from '../../../src/conflicts/compare.ts';
import {openOracles} from '../../../src/conflicts/oracle/open-oracles.ts';
import {typescriptOracle} from '../../../src/conflicts/oracle/typescript.ts';
import {mergeCommits} from '../../../src/git/merge/merge-tree.ts';
import {type Store, withReadingStore} from '../../../src/git/store/store.ts';
import {printColumns} from '../columns.ts';
import {leastOf, type Took, took} from '../took.ts';
import {layWorld, type World} from './world.ts';

/** Prints the time of verdicts, reports and the type check beside bare git, in one run; the minimum of several rounds, in wall-clock and CPU time. */
export const benchSpeed = async (rounds: number): Promise<void> => {
	const folder = await mkdtemp(join(tmpdir(), 'bench-conflicts-'));
	try {
		const large = await layWorld(join(folder, 'large.git'), {files: 10_000, changed: 50});
		const typed = await layWorld(join(folder, 'typed.git'), {files: 500, changed: 10});
		const taken = [
			...(await verdicts(large, rounds)),
			...(await reports(large, rounds)),
			...(await typeChecks(typed, rounds)),
		];
		printColumns(
			['', 'ms', 'ms of processors'],
			taken.map(([name, {ms, cpuMs}]) => [name, ms.toFixed(0), cpuMs.toFixed(0)]),
		);
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

type Row = readonly [name: string, took: Took];

const settings = {checkout: undefined, config: {}};

/** Number of repetitions, since CPU time is counted in hundredths of a second. */
const times = 5;

const verdicts = async ({gitDir, sides}: World, rounds: number): Promise<readonly Row[]> =>
	withReadingStore({gitDir}, async store => {
		const pairs = sides.flatMap((a, place) => sides.slice(place + 1).map(b => [a, b] as const));
		const [bare, ours]: [Took[], Took[]] = [[], []];
		const ofPairs = async (merge: (a: string, b: string) => Promise<unknown>): Promise<void> => {
			for (let time = 0; time < times; time++) {
				for (const [a, b] of pairs) {
					await merge(a, b);
				}
			}
		};
		for (let round = 0; round < rounds; round++) {
			bare.push(await took(() => ofPairs((a, b) => bareMerge(store, a, b))));
			ours.push(await took(() => ofPairs((a, b) => mergeCommits(store, a, b, settings))));
		}

		return [
			[`${times} × 6 pairs, bare git merge-tree`, leastOf(bare)],
			[`${times} × 6 pairs, our verdict`, leastOf(ours)],
		];
	});

const bareMerge = ({gitDir}: Store, a: string, b: string): Promise<unknown> =>
	execa('git', ['merge-tree', '--write-tree', a, b], {env: {GIT_DIR: gitDir}, reject: false});

const reports = async (
	{gitDir, sides: [a, b], later}: World,
	rounds: number,
): Promise<readonly Row[]> => {
	const program = fileURLToPath(new URL('./report.ts', import.meta.url));
	const [cold, warm]: [Took[], Took[]] = [[], []];
	for (let round = 0; round < rounds; round++) {
		const {stdout} = await execa(process.execPath, [program, gitDir, a, b, later]);
		const one = JSON.parse(stdout);
		cold.push(one.cold);
		warm.push(one.warm);
	}

	return [
		['report on 10,000 files, 50 changed a side, the first of a program', leastOf(cold)],
		['the same after one more changed file', leastOf(warm)],
	];
};

const typeChecks = async (
	{gitDir, sides: [a, b], later}: World,
	rounds: number,
): Promise<readonly Row[]> =>
	withReadingStore({gitDir}, async store => {
		const [first, next]: [Took[], Took[]] = [[], []];
		const {signal} = new AbortController();
		for (let round = 0; round < rounds; round++) {
			const before = await compare(store, {a, b}, {settings, signal});
			const after = await compare(store, {a: later, b}, {settings, signal});
			await using oracles = openOracles(
				{store, runsCode: false},
				{plugins: [typescriptOracle], now: () => performance.now(), patienceMs: 60_000},
			);
			first.push(await took(() => confirmedBy(oracles, before, {signal})));
			next.push(await took(() => confirmedBy(oracles, after, {signal})));
			if (oracles.runs().some(({failed}) => failed !== undefined)) {
				throw new Error('TypeScript failed.');
			}
		}

		return [
			['type check of 500 files, its start included', leastOf(first)],
			['the same after one more changed file', leastOf(next)],
		];
	});
