/*
Runs the race of `npm run bench -- snapshot` and prints its table: `snapshot-race ROUNDS`.
*/
import {randomUUID} from 'node:crypto';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {execa} from 'execa';
import {copyIndex} from '../../src/git/index-entries.ts';
import {takeSnapshot, worktreeTree} from '../../src/git/worktree/snapshot/snapshot.ts';
import {printColumns} from './columns.ts';
import {fileCount} from './snapshot-files.ts';
import {makeSnapshotWorld, type SnapshotWorld, snapshotParts, touch} from './snapshot-world.ts';

/** State of a worktree since its index was written. */
type Situation = {
	readonly name: string;
	readonly index: 'absent' | 'kept';
	/** Files that get new content before each measurement; numbers above the count are new files. */
	readonly touched: readonly number[];
};

const every = (step: number, amount: number): readonly number[] =>
	Array.from({length: amount}, (_, position) => position * step);

const situations: readonly Situation[] = [
	{name: 'first look at a worktree', index: 'absent', touched: []},
	{name: 'nothing changed', index: 'kept', touched: []},
	{name: '10 files edited', index: 'kept', touched: every(1000, 10)},
	{name: '50 files edited', index: 'kept', touched: every(200, 50)},
	{
		name: '500 edited, 500 new',
		index: 'kept',
		touched: [...every(20, 500), ...every(1, 500).map(number => fileCount + number)],
	},
];

/** Looks at the worktree once, with the index at that path, which may be absent. */
type Contestant = (sample: {
	readonly index: string;
	readonly situation: Situation;
	/** Unique name of this look. */
	readonly stamp: string;
}) => Promise<unknown>;

const raceSnapshots = async (rounds: number): Promise<void> => {
	await using world = await makeSnapshotWorld();
	const contestants = await contestantsOf(world);
	console.log(
		`A worktree of ${fileCount} files: medians of ${rounds} rounds, one after the other in each.\n`,
	);
	const rows: string[][] = [];
	for (const situation of situations) {
		// The first round fills the caches and does not count.
		await measure(world, situation, contestants, 1);
		rows.push(rowOf(situation, await measure(world, situation, contestants, rounds)));
	}

	printColumns(['', 'git add -A, write-tree', 'snapshot', 'to git', 'look', 'to git'], rows);
};

const contestantsOf = async (world: SnapshotWorld): Promise<readonly Contestant[]> => {
	const {tree, base} = world;
	const snapshots = await world.makeStore('snapshots');
	const looks = await world.makeStore('looks');
	return [
		({index, situation}) => addAll(tree, index, situation.index === 'absent' ? [base] : []),
		({index, stamp}) =>
			takeSnapshot(snapshots, {
				...snapshotParts(base),
				tree,
				index,
				ref: `refs/delegate/${stamp}`,
			}),
		({index}) => worktreeTree(looks, {tree, index, seed: base}),
	];
};

const addAll = async (tree: string, index: string, seeds: readonly string[]): Promise<void> => {
	const git = execa({cwd: tree, env: {GIT_INDEX_FILE: index}});
	for (const seed of seeds) {
		await git`git read-tree ${seed}`;
	}

	await git`git add -A`;
	await git`git write-tree`;
};

/** Returns the times of each contestant, in milliseconds; the order alternates. */
const measure = async (
	world: SnapshotWorld,
	situation: Situation,
	contestants: readonly Contestant[],
	rounds: number,
): Promise<readonly (readonly number[])[]> => {
	const times = contestants.map((): number[] => []);
	for (let round = 0; round < rounds; round += 1) {
		for (let turn = 0; turn < contestants.length; turn += 1) {
			const number = (round + turn) % contestants.length;
			const contestant = contestants[number];
			if (contestant !== undefined) {
				times[number]?.push(await sample(world, situation, contestant));
			}
		}
	}

	return times;
};

const sample = async (
	world: SnapshotWorld,
	situation: Situation,
	contestant: Contestant,
): Promise<number> => {
	const stamp = randomUUID();
	await touch(world.tree, situation.touched, stamp);
	const index = join(world.folder, `index-${stamp}`);
	if (situation.index === 'kept') {
		await copyIndex(world.index, index);
	}

	// The writes of one contestant must not delay the next one.
	await execa('sync');
	const startedMs = performance.now();
	await contestant({index, situation, stamp});
	const ms = performance.now() - startedMs;
	await rm(index, {force: true});
	return ms;
};

const rowOf = ({name}: Situation, times: readonly (readonly number[])[]): string[] => {
	const [floorMs = Number.NaN, ...others] = times.map(medianOf);
	const compared = others.flatMap(ms => [msText(ms), `×${(ms / floorMs).toFixed(2)}`]);
	return [name, msText(floorMs), ...compared];
};

const msText = (ms: number): string => `${ms.toFixed(0)} ms`;

const medianOf = (times: readonly number[]): number =>
	times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;

await raceSnapshots(Number(process.argv[2]));
