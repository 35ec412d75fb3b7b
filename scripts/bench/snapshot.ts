import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {execa} from 'execa';
import {bundle} from '../build.ts';

/**
Measures the time of a snapshot of a worktree of 10,000 files, and of a look at it, beside `git add -A` and `git write-tree`.

The floor stores nothing: no commit, no ref, and no sync to the disk. It neither looks for files that a snapshot can't contain, such as pipes and files in submodules, nor takes the files of an inner repository, nor is it isolated from an agent's settings and filters. An absent index is made from the commit, as by the others; a kept one is provided outside of the measured time. Each writes into its own store and finds the same files, with content that never existed before.

The race runs from a bundle, like the program: the TypeScript loader would double the memory of the process, and with it the time of each start of git.
*/
export const benchSnapshot = async (rounds: number): Promise<void> => {
	const folder = await mkdtemp(join(tmpdir(), 'bench-bundle-'));
	try {
		await writeFile(join(folder, 'package.json'), '{"type": "module"}\n');
		await bundle({race: entryOf('snapshot-race'), 'write-files': entryOf('write-files')}, folder);
		const race = join(folder, 'race.js');
		await execa(process.execPath, [race, String(rounds)], {stdio: 'inherit'});
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

const entryOf = (name: string): string => join(import.meta.dirname, `${name}.ts`);
