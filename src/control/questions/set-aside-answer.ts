import {lstat, rename} from 'node:fs/promises';
import {join} from 'node:path';
import {ifThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import type {QuestionHome} from './home.ts';

/**
Puts an answer that is of no use aside, with the reason beside it; returns where, and whose it was.

It is moved and never read on the way, so it does not matter what it is: a link stays the link that it was.
*/
export const setAsideAnswer = async (
	home: QuestionHome,
	name: string,
	why: string,
): Promise<{kept: string; owner: number | null}> => {
	const path = join(home.answers, name);
	const owner = (await ifThere(lstat(path)).catch(() => undefined))?.uid ?? null;
	const kept = await freeName(home.rejected, name);
	await rename(path, kept);
	await writeAtomically(`${kept}.reason`, `${why}\n`, {mode: 0o600});
	return {kept, owner};
};

/** What was set aside before stays. */
const freeName = async (folder: string, name: string): Promise<string> => {
	for (let number = 1; ; number++) {
		const path = join(folder, number === 1 ? name : `${name}.${number}`);
		if ((await ifThere(lstat(path))) === undefined) {
			return path;
		}
	}
};
