import {stat} from 'node:fs/promises';
import {benchCases} from './conflict-cases.ts';
import {replayMerges} from './conflict-replay.ts';

/** Prints how well conflicts are found: in the cases of `fixtures/repos`, or in the merges of the clones below a folder. */
export const benchConflicts = async (
	folder: string | undefined,
	mostMerges: number,
): Promise<void> => {
	if (folder === undefined) {
		await benchCases();
		return;
	}

	if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
		console.error(`There is no folder ${folder}.`);
		process.exitCode = 2;
		return;
	}

	await replayMerges(folder, mostMerges);
};
