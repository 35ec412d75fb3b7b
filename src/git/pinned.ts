import {Failure} from '../lib/failure.ts';
import {gitsWords, lineOf} from './result.ts';
import {sealed} from './sealed.ts';
import type {Store} from './store.ts';
import {refsBelow, unpin} from './store.ts';

/** Returns the trees that are pinned by refs of the store below a prefix. */
export const pinnedTrees = async (store: Store, prefix: string): Promise<ReadonlySet<string>> => {
	const lines = lineOf(await sealed(store, ['for-each-ref', '--format=%(tree)', prefix]));
	return new Set(lines.split('\n').filter(line => line !== ''));
};

/**
Pins all that the branches of an agent's hub lead to, below a prefix of the store.

Git checks every object on the way. No setting of the hub is heeded by a fetch in a way that could run something.

@throws `Failure` of kind `refused` when something in the hub is broken or can't be read.
*/
export const pinHub = async (store: Store, hub: string, prefix: string): Promise<void> => {
	const result = await sealed(
		store,
		[
			...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'],
			...['--no-recurse-submodules', hub, `+refs/*:${prefix}/*`],
		],
		{config: {'fetch.fsckObjects': 'true', 'protocol.version': '2'}, expect: 'any'},
	);
	if (result.code !== 0) {
		throw new Failure('refused', `${hub} could not be read: ${gitsWords(result)}`);
	}
};

/** Removes all refs of the store below a prefix. */
export const unpinAll = async (store: Store, prefix: string): Promise<void> => {
	for (const ref of (await refsBelow(store, prefix)).keys()) {
		await unpin(store, ref);
	}
};

/**
Gives back the space of what no ref leads to any more, as far as it was written before a moment.

What is younger may be somebody's who is about to pin it.
*/
export const collectGarbage = async (store: Store, before: Date): Promise<void> => {
	await sealed(store, ['gc', '--quiet', `--prune=${before.toISOString()}`]);
};
