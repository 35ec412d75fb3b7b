import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {createHub} from '../../src/git/store/pin-hub.ts';
import type {makeWorld} from '../git/world.ts';
import {pictureOf, untilStruck} from '../helpers/kill-points.ts';
import {filesBelow, git, temporaryFolder, write} from '../helpers/repository.ts';

type World = Awaited<ReturnType<typeof makeWorld>>;

/** The commands of a snapshot, in their order, and those of a worktree that is made. */
const snapshotWords = ['ls-files', 'update-index', 'write-tree', 'diff-tree', 'update-ref'];
const worktreeWords = ['init', 'worktree'];

/** Kills git at so many points of snapshots, and expects the next try to hold all that the worktree holds. Returns in how many a git died. */
export const killInSnapshots = async (world: World, points: number): Promise<number> => {
	const {root, tree, store} = world;
	const mine = pictureOf(root);
	let [struck, tries] = [0, 0];
	for (let point = 0; point < points; point++) {
		let ref = '';
		const change = async () => {
			tries++;
			write(tree, {
				[`new/${tries}.txt`]: `new ${tries}\n`,
				'changed.txt': `${tries}\n`.repeat(5000),
			});
			ref = `refs/delegate/s/AGT-001/killed/${tries}`;
		};
		const snapshot = () => world.snapshot({ref});
		await change();
		struck += await tryUntilStruck(snapshotWords, {point, points}, snapshot, change);
		const {commit} = await snapshot();
		expect(git(store.gitDir, 'rev-parse', ref), `point ${point}`).toBe(commit);
		expect(blobsIn(store.gitDir, commit), `point ${point}`).toEqual(blobsBelow(tree));
	}

	expect(pictureOf(root)).toBe(mine);
	return struck;
};

/** Kills git at so many points while a hub and its worktree are made, and expects the next try to make them whole. Returns in how many a git died. */
export const killInWorktrees = async (world: World, points: number): Promise<number> => {
	const {root, repository, base} = world;
	const mine = pictureOf(root);
	let struck = 0;
	for (let point = 0; point < points; point++) {
		let folder = '';
		const goElsewhere = async () => {
			folder = join(temporaryFolder(), 'AGT-002');
		};
		const make = () => createHub({folder, repository, base, branch: 'agent/AGT-002'});
		await goElsewhere();
		struck += await tryUntilStruck(worktreeWords, {point, points}, make, goElsewhere);
		const {tree} = await make();
		expect(git(tree, 'status', '--porcelain', '--branch'), `point ${point}`).toBe(
			'## agent/AGT-002',
		);
		expect(blobsBelow(tree), `point ${point}`).toEqual(blobsIn(root, base));
	}

	expect(pictureOf(root)).toBe(mine);
	return struck;
};

/** Tries, anew each time, until one of the commands was killed, at a moment that depends on the point; 1 if one was. */
const tryUntilStruck = async (
	words: readonly string[],
	{point, points}: {readonly point: number; readonly points: number},
	act: () => Promise<unknown>,
	again: () => Promise<unknown>,
): Promise<number> => {
	const word = words[point % words.length] ?? '';
	const afterMs = (longestMs * (point + 0.5)) / points;
	const tried = () => act().catch(() => undefined);
	return (await untilStruck(word, afterMs, tried, again)) ? 1 : 0;
};

/** Most commands have ended after so long. */
const longestMs = 12;

const blobsIn = (gitDir: string, commit: string): Record<string, string> =>
	Object.fromEntries(
		git(gitDir, 'ls-tree', '-r', '--format=%(path) %(objectname)', commit)
			.split('\n')
			.map(line => line.split(' '))
			.map(([path = '', oid = '']) => [path, oid]),
	);

const blobsBelow = (tree: string): Record<string, string> =>
	Object.fromEntries(Object.keys(filesBelow(tree)).map(path => [path, blobOf(join(tree, path))]));

const blobOf = (path: string): string => {
	const bytes = readFileSync(path);
	return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
};
