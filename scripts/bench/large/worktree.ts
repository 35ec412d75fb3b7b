import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {execa} from 'execa';
import {copyIndex} from '../../../src/git/index-entries.ts';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {createHub} from '../../../src/git/store/pin-hub.ts';
import {openStore} from '../../../src/git/store/store.ts';
import {takeSnapshot} from '../../../src/git/worktree/snapshot/snapshot.ts';
import type {History} from './history.ts';
import {seconds} from './session.ts';

/** Times of a snapshot of many changed files, and of `git add -A` with `git write-tree`, in seconds. */
export type SnapshotCosts = {readonly ours: number; readonly git: number};

/** Measures both alternately, on the same worktree and with the same index. */
export const measureSnapshot = async (
	folder: string,
	{gitDir, main, wideFiles}: History,
): Promise<SnapshotCosts> => {
	await mkdir(folder, {recursive: true});
	const root = join(folder, 'project');
	await execa('git', ['clone', '--quiet', '--shared', '--no-checkout', gitDir, root]);
	const repository = await openRepository(root);
	const store = await openStore(join(folder, 'store.git'), repository);
	const hub = {folder: join(folder, 'agent'), repository, base: main, branch: 'agent'};
	const {tree} = await createHub(hub);
	const index = join(folder, 'index');
	const take = (number: number) =>
		takeSnapshot(store, {
			...{tree, index, parents: [main], ref: `refs/delegate/${number}`},
			...{message: 'snapshot', at: '2026-11-21T20:00:00Z'},
		});
	// With an index of the same second as the files, git would read them again each time.
	await wait(2000);
	await take(0);
	const texts = await Promise.all(wideFiles.map(path => readFile(join(tree, path))));
	const times: {ours: number; git: number}[] = [];
	for (const round of [1, 2, 3]) {
		const change = async (who: string) => {
			for (const [at, path] of wideFiles.entries()) {
				await writeFile(join(tree, path), `// ${round} ${who}\n${texts[at] ?? ''}`);
			}

			await execa('sync');
		};
		await change('ours');
		const ours = await seconds(() => take(round));
		// We only trust an index that we wrote ourselves, so git gets the copy.
		const gits = join(folder, `index-${round}`);
		await copyIndex(index, gits);
		await change('git');
		const git = execa({cwd: tree, env: {GIT_INDEX_FILE: gits}});
		times.push({
			ours,
			git: await seconds(async () => {
				await git`git add -A`;
				await git`git write-tree`;
			}),
		});
	}

	// Other load on the machine only adds to each.
	return {
		ours: Math.min(...times.map(({ours}) => ours)),
		git: Math.min(...times.map(({git}) => git)),
	};
};
