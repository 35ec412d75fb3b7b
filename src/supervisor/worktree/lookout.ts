import {statSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {type Repository, refOf} from '../../git/repository/repository.ts';
import {ignoredIn, withWorktree} from '../../git/worktree/open-worktree.ts';
import {ifThere} from '../../lib/files/reading.ts';
import {type TreeWatch, watchTree} from '../../lib/files/watch-tree.ts';
import type {World} from '../world.ts';

/** Decides which worktrees need a look; each look starts programs and reads the whole worktree. */
export type Lookout = {
	/** Returns whether an agent's worktree may have changed since the last look, or the last look was long ago. */
	readonly isDue: (agent: string) => Promise<boolean>;
	readonly looked: (agent: string, found: 'same' | 'changed') => void;
	/** Watches only the worktrees of these agents from now on. */
	readonly keep: (agents: readonly string[]) => void;
	readonly close: () => void;
};

/** Times after which a look is due without a hint, in milliseconds: longer after each look that found no change. */
const pausesMs: readonly number[] = [1000, 15_000, 60_000];

type Post = {readonly tree: TreeWatch; isHinted: boolean; quiet: number; dueMs: number};

/** Watches the folders of worktrees for hints of changes. */
export const createLookout = (watchAgent: (agent: string) => TreeWatch): Lookout => {
	const posts = new Map<string, Post>();
	const postOf = (agent: string): Post => {
		const post = posts.get(agent) ?? {
			...{tree: watchAgent(agent), isHinted: false, quiet: 0, dueMs: 0},
		};
		posts.set(agent, post);
		return post;
	};

	return {
		isDue: async agent => {
			const post = postOf(agent);
			post.isHinted = await post.tree.takeHint();
			return post.isHinted || performance.now() >= post.dueMs;
		},
		looked: (agent, found) => {
			const post = postOf(agent);
			// A watch that missed a change may have lost folders.
			if (found === 'changed' && !post.isHinted) {
				post.tree.renew();
			}

			post.quiet = found === 'same' && !post.isHinted ? post.quiet + 1 : 0;
			post.dueMs = performance.now() + (pausesMs[post.quiet] ?? pausesMs.at(-1) ?? 0);
		},
		keep: agents => {
			for (const [agent, {tree}] of posts) {
				if (!agents.includes(agent)) {
					tree.close();
					posts.delete(agent);
				}
			}
		},
		close: () => {
			for (const {tree} of posts.values()) {
				tree.close();
			}

			posts.clear();
		},
	};
};

/** Watches a worktree except for folders that git ignores; an ignored folder with tracked files is watched. */
export const watchWorktree = ({store, folder}: World, agent: string): TreeWatch => {
	const {tree, index} = folder.agent(agent);
	return watchTree(tree, {
		ignored: folders =>
			withWorktree(tree, workTree => ignoredIn({...store, workTree, index}, folders, 'index')),
	});
};

/**
Returns a text that changes whenever a branch moves, based on the files in which git stores it.

Git writes a new file and renames it into place, so a change has another inode or time.
*/
export const branchStamp = ({commonDir}: Pick<Repository, 'commonDir'>, branch: string): string => {
	const paths = [refOf(branch), 'packed-refs', 'reftable/tables.list'];
	const found = paths.map(path =>
		statSync(join(commonDir, path), {bigint: true, throwIfNoEntry: false}),
	);
	return found.map(file => [file?.ino, file?.mtimeNs, file?.ctimeNs, file?.size]).join('\n');
};

/** Returns whether a branch is a symbolic ref, so that its own file doesn't change when it moves. */
export const isAlias = async (
	{commonDir}: Pick<Repository, 'commonDir'>,
	branch: string,
): Promise<boolean> => {
	const content = await ifThere(readFile(join(commonDir, refOf(branch)), 'utf8'));
	return content?.startsWith('ref:') ?? false;
};
