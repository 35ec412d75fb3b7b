import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {createHub} from '../../src/git/hub.ts';
import {takeSnapshot} from '../../src/git/snapshot.ts';
import type {makeWorld} from '../git/world.ts';
import {pictureOf, whileKilled} from '../helpers/kill-points.ts';
import {filesBelow, git, temporaryFolder, write} from '../helpers/repository.ts';

type World = Awaited<ReturnType<typeof makeWorld>>;

/** The commands of a snapshot, in their order, and those of a worktree that is made. */
const snapshotWords = ['ls-files', 'update-index', 'write-tree', 'commit-tree', 'update-ref'];
const worktreeWords = ['init', 'worktree'];

/** Kills git at so many points of snapshots, and expects the next try to hold all that the worktree holds. Returns how many were cut off. */
export const killInSnapshots = async (world: World, points: number): Promise<number> => {
	const {root, tree, store, folder, base} = world;
	const mine = pictureOf(root);
	let cutOff = 0;
	for (let point = 0; point < points; point++) {
		write(tree, {[`new/${point}.txt`]: `new ${point}\n`, 'changed.txt': `${point}\n`.repeat(5000)});
		const ref = `refs/delegate/s/AGT-001/killed/${point}`;
		const snapshot = () =>
			takeSnapshot(store, {
				tree,
				index: join(folder, 'index'),
				parents: [base],
				ref,
				message: 'snapshot',
				at: '2026-11-21T20:00:00Z',
			});
		cutOff += await tryWhileKilled(snapshotWords, point, points, snapshot);
		const {commit} = await snapshot();
		expect(git(store.gitDir, 'rev-parse', ref), `point ${point}`).toBe(commit);
		expect(blobsIn(store.gitDir, commit), `point ${point}`).toEqual(blobsBelow(tree));
	}

	expect(pictureOf(root)).toBe(mine);
	return cutOff;
};

/** Kills git at so many points while a hub and its worktree are made, and expects the next try to make them whole. Returns how many were cut off. */
export const killInWorktrees = async (world: World, points: number): Promise<number> => {
	const {root, repository, base} = world;
	const mine = pictureOf(root);
	let cutOff = 0;
	for (let point = 0; point < points; point++) {
		const folder = join(temporaryFolder(), 'AGT-002');
		const make = () => createHub({folder, repository, base, branch: 'agent/AGT-002'});
		cutOff += await tryWhileKilled(worktreeWords, point, points, make);
		const {tree} = await make();
		expect(git(tree, 'status', '--porcelain', '--branch'), `point ${point}`).toBe(
			'## agent/AGT-002',
		);
		expect(blobsBelow(tree), `point ${point}`).toEqual(blobsIn(root, base));
	}

	expect(pictureOf(root)).toBe(mine);
	return cutOff;
};

/** Tries once while one of the commands is killed, at a moment that depends on the point; 1 if that failed. */
const tryWhileKilled = async (
	words: readonly string[],
	point: number,
	points: number,
	act: () => Promise<unknown>,
): Promise<number> => {
	const word = words[point % words.length] ?? '';
	const afterMs = (longestMs * (point + 0.5)) / points;
	return whileKilled(word, afterMs, act).then(
		() => 0,
		() => 1,
	);
};

/** Most commands have ended after so long; the later ones are let go. */
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
