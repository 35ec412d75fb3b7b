import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {joinLines, lineOf, linesOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import {lookUp} from '../tree/blobs.ts';
import {treeOfCommit} from '../tree/commit.ts';
import type {StagedTree} from '../worktree/snapshot/stage-tree.ts';
import {refsBelow, type Store} from './store.ts';

/** Returns whether refs below a prefix pin the whole content of a worktree, byte for byte. */
export const isPinned = async (
	store: Store,
	prefix: string,
	{tree, raw}: Pick<StagedTree, 'tree' | 'raw'>,
): Promise<boolean> => {
	const format = '--format=%(tree) %(parent)';
	const pinned = linesOf(await sealed(store, ['for-each-ref', format, prefix]))
		.map(line => line.split(' '))
		.filter(([own]) => own === tree);
	if (raw === undefined) {
		return pinned.length > 0;
	}

	const besides = pinned.flatMap(([, , beside]) => beside ?? []);
	const trees = await Promise.all(besides.map(commit => treeOfCommit(store, commit)));
	return trees.includes(raw);
};

/** Returns approximately how many bytes removing the refs below a prefix would free; objects that other refs or the person's reach stay. */
export const pinnedBytes = async (store: Store, prefix: string): Promise<number> => {
	const others = ['--not', `--exclude=${prefix}/*`, '--all', '--alternate-refs'];
	const args = ['rev-list', '--objects', '--disk-usage', `--glob=${prefix}`, ...others];
	const result = await sealed(store, args, {expect: 'any'});
	return result.code === 0 ? Number(lineOf(result)) : 0;
};

/** Pins those of the ids that exist, each by a ref below a prefix. */
export const pinAll = async (
	store: Store,
	prefix: string,
	ids: Iterable<string>,
): Promise<void> => {
	const oids = (await lookUp(store, [...ids])).flatMap(found => found?.oid ?? []);
	await sealed(store, ['update-ref', '--stdin'], {
		input: joinLines(oids.map(oid => `update ${prefix}/${oid} ${oid}`)),
	});
};

export const unpinAll = async (store: Store, prefix: string): Promise<void> => {
	const refs = [...(await refsBelow(store, prefix)).keys()];
	await (refs.length > 0 &&
		sealed(store, ['update-ref', '--stdin'], {
			input: joinLines(refs.map(ref => `delete ${ref}`)),
		}));
};

/**
Prunes unreachable objects from before a given time; younger ones may be about to be pinned.

Git would also drop each object that it can borrow now, so this first packs all reachable ones, with a `.keep` file.

@param pinned commits that are pinned in the person's repository: objects that they reach stay borrowed
*/
export const collectGarbage = async (
	store: Store,
	before: Date,
	pinned: readonly string[] = [],
): Promise<void> => {
	const pack = join(store.gitDir, 'objects/pack/pack');
	const args = ['pack-objects', '--quiet', '--all', '--revs', '--non-empty', pack];
	const hash = lineOf(await sealed(store, args, {input: joinLines(pinned.map(oid => `^${oid}`))}));
	const keep = `${pack}-${hash}.keep`;
	await writeFile(keep, '');
	try {
		await sealed(store, ['gc', '--quiet', `--prune=${before.toISOString()}`]);
	} finally {
		await rm(keep, {force: true});
	}
};
