import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {joinLines, lineOf, linesOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import {treeOfCommit} from '../tree/commit.ts';
import type {StagedTree} from '../worktree/snapshot/stage-tree.ts';
import {refsBelow, type Store} from './store.ts';

/** Returns whether refs of the store below a prefix pin all that a worktree holds, byte for byte. */
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

/** Returns about how many bytes would be free if the refs of the store below a prefix were gone: what the person's refs lead to, or other refs of the store, would stay. */
export const pinnedBytes = async (store: Store, prefix: string): Promise<number> => {
	const others = ['--not', `--exclude=${prefix}/*`, '--all', '--alternate-refs'];
	const args = ['rev-list', '--objects', '--disk-usage', `--glob=${prefix}`, ...others];
	const result = await sealed(store, args, {expect: 'any'});
	return result.code === 0 ? Number(lineOf(result)) : 0;
};

/** Pins those of the ids that the store has an object for, each by a ref below a prefix. */
export const pinAll = async (
	store: Store,
	prefix: string,
	ids: Iterable<string>,
): Promise<void> => {
	const args = ['cat-file', '--batch-check=%(objectname)', '--buffer'];
	const found = linesOf(await sealed(store, args, {input: joinLines(ids)}));
	const oids = found.filter(line => !line.endsWith(' missing'));
	await sealed(store, ['update-ref', '--stdin'], {
		input: joinLines(oids.map(oid => `update ${prefix}/${oid} ${oid}`)),
	});
};

/** Removes all refs of the store below a prefix. */
export const unpinAll = async (store: Store, prefix: string): Promise<void> => {
	const refs = [...(await refsBelow(store, prefix)).keys()];
	await sealed(store, ['update-ref', '--stdin'], {
		input: joinLines(refs.map(ref => `delete ${ref}`)),
	});
};

/**
Gives back the space of what no ref leads to any more, as far as it was written before a moment.

What is younger may be somebody's who is about to pin it. Git would give up each object, too, that it can borrow at this moment; so all that refs lead to is first put into one pack, which git is told to keep.

@param pinned Commits that are kept alive in the person's repository: what these lead to is borrowed on.
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
