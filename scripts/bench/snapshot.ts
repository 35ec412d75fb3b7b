import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {execa} from 'execa';
import {bundle} from '../build.ts';

/**
Measures how long a snapshot takes of a worktree of 10,000 files, and a look at it, beside `git add -A` and `git write-tree` there.

The floor keeps nothing: no commit, no ref, and nothing is synced to the disk. It neither looks for what a snapshot can't hold, such as pipes and what lies in submodules, nor takes the files of an inner repository, nor is it shut off from an agent's settings and filters. An absent index it makes out of the commit, as the others do; a kept one is given to all of them outside of the time. Each writes into a store of its own and finds the same files, with content that was never there.

The race is run from a bundle, as the program is: what reads TypeScript would double the memory of the process, and with it the time that each start of a git takes.
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
