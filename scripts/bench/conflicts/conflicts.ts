import {stat} from 'node:fs/promises';

/**
Benchmarks of conflicts: precision and recall in the cases of `fixtures/repos`, merges of the clones below a folder, or only those that a person repaired, our verdicts beside those of a public set of patches, or the time.
*/
type Benchmark = (words: readonly string[]) => Promise<void> | undefined;

/** Runs the chosen benchmark; returns nothing if the arguments are invalid. */
export const benchConflicts: Benchmark = words => {
	const [first = ''] = words;
	return first === ''
		? import('./cases.ts').then(({benchCases}) => benchCases())
		: (options[first] ?? replay)(words);
};

const replay: Benchmark = ([folder = '', merges = '200', kept, ...others]) =>
	isCount(merges) && others.length === 0
		? withFolders([folder], async () =>
				(await import('./replay.ts')).replayMerges(folder, Number(merges), kept),
			)
		: undefined;

const options: Readonly<Record<string, Benchmark>> = {
	'--mended': ([, folder, merges = '200', kept, ...others]) =>
		folder !== undefined && isCount(merges) && others.length === 0
			? withFolders([folder], async () => {
					const {replayMerges} = await import('./replay.ts');
					const {mendedOrigins} = await import('./replayed-table.ts');
					return replayMerges(folder, Number(merges), kept, mendedOrigins);
				})
			: undefined,
	'--pairs': ([, folder, clones, ...others]) =>
		folder !== undefined && clones !== undefined && others.length === 0
			? withFolders([folder, clones], async () =>
					(await import('./pairs.ts')).benchPairs(folder, clones),
				)
			: undefined,
	'--speed': ([, rounds = '5', ...others]) =>
		isCount(rounds) && others.length === 0
			? import('./speed.ts').then(({benchSpeed}) => benchSpeed(Number(rounds)))
			: undefined,
};

const isCount = (word: string): boolean => /^[1-9]\d*$/.test(word);

const withFolders = async (
	folders: readonly string[],
	work: () => Promise<void>,
): Promise<void> => {
	for (const folder of folders) {
		if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
			console.error(`There is no folder ${folder}.`);
			process.exitCode = 2;
			return;
		}
	}

	await work();
};
