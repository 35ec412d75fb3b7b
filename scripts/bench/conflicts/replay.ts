import {appendFile, readdir, readFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {openForReading, withStoreOf} from '../../../src/git/repository/readable-repository.ts';
import {forEachConcurrent} from '../../../test/helpers/for-each-concurrent.ts';
import {type Merge, mergesOf, type Origin} from './merges-of.ts';
import {replayMerge} from './replay-merge.ts';
import {printReplayed, type Replayed} from './replayed-table.ts';
import {nothing, sum} from './tally.ts';

const allOrigins: readonly Origin[] = ['real', 'altered', 'mined', 'test'];

/**
Replays the merge commits of all clones below a folder and prints how often we agree with git and what we block.

@param kept File to which results are appended at once; results in it are not computed again, since all of them take an hour.
*/
export const replayMerges = async (
	folder: string,
	most: number,
	kept?: string,
	origins: readonly Origin[] = allOrigins,
): Promise<void> => {
	const rows: Replayed[] = [...(await readRows(kept))];
	const clones = await clonesBelow(folder);
	if (clones.length === 0) {
		console.error(`There is no clone in ${folder}, nor in a folder of it.`);
		process.exitCode = 2;
		return;
	}

	const isKept = (clone: string, origin: Origin) =>
		rows.some(row => row.clone === clone && row.origin === origin);
	for (const origin of origins) {
		for (const path of clones.filter(one => !isKept(basename(one), origin))) {
			const done = await replay(path, await mergesOf(path, origin, most));
			const row = {clone: basename(path), origin, ...done};
			rows.push(row);
			await (kept === undefined ? undefined : appendFile(kept, `${JSON.stringify(row)}\n`));
		}
	}

	printReplayed(rows, origins);
};

/** Returns the stored rows; an old file may lack some counts. */
const readRows = async (kept: string | undefined): Promise<readonly Replayed[]> => {
	const text = kept === undefined ? '' : await readFile(kept, 'utf8').catch(() => '');
	return text
		.split('\n')
		.filter(line => line !== '')
		.map(line => JSON.parse(line))
		.map(row => ({...row, tally: {...nothing, ...row.tally}}));
};

/** Returns git repositories, bare or not, at most two levels below. */
const clonesBelow = async (folder: string, depth = 2): Promise<readonly string[]> => {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	const names = new Set(entries.map(({name}) => name));
	if (names.has('.git') || (names.has('objects') && names.has('HEAD'))) {
		return [folder];
	}

	const below = depth === 0 ? [] : entries.filter(one => one.isDirectory() || one.isSymbolicLink());
	const found = await Promise.all(
		below.map(({name}) => clonesBelow(join(folder, name), depth - 1)),
	);
	return found.flat();
};

const replay = async (
	clone: string,
	merges: readonly Merge[],
): Promise<Pick<Replayed, 'tally' | 'lines'>> => {
	const repository = await openForReading(clone);
	return withStoreOf(repository, async store => {
		let tally = nothing;
		const lines: string[] = [];
		await forEachConcurrent(merges, atOnce, async merge => {
			const {line, ...one} = await replayMerge(store, merge, repository.settings);
			tally = sum(tally, {...nothing, ...one, merges: 1});
			lines.push(...(line === undefined ? [] : [`${merge.commit} ${line}`]));
		});
		return {tally, lines};
	});
};

/** Number of parallel merges, which mostly wait for git. */
const atOnce = 6;
