import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {Repository} from '../repository/repository.ts';
import {borrowedFrom} from './borrowed.ts';
import {createLinkedTree, type LinkedTree} from './linked-tree.ts';
import type {Store} from './store.ts';

export type CheckoutParts = {
	readonly repository: Repository;
	readonly commit: string;
	/** A folder for this checkout alone; the files are in `tree` below it. */
	readonly folder: string;
};

/**
Checks a commit of the store out, to run the person's checks on it.

The worktree hangs off a bare repository of its own, so that a check may run git, commit and switch branches there without reaching the store. A second call for the folder returns what is there.
*/
export const checkoutTree = async (
	store: Store,
	{repository, commit, folder}: CheckoutParts,
): Promise<LinkedTree> => {
	const borrowed = await borrowedFrom(repository);
	const objects = [join(store.gitDir, 'objects'), ...borrowed.objects];
	return createLinkedTree({folder, borrowed: {...borrowed, objects}, commit});
};

/** Removes a checkout with all that checks left in it. */
export const removeCheckout = (folder: string): Promise<void> =>
	rm(folder, {recursive: true, force: true});
