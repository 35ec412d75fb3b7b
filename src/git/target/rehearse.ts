import {join} from 'node:path';
import type {Checkout} from '../checkouts.ts';
import {copyIndex} from '../copy-index.ts';
import {gitsWords} from '../result.ts';
import type {Store} from '../store.ts';
import {withTemporaryIndex} from '../temporary-index.ts';
import {user} from '../user.ts';
import type {Obstacle} from './obstacle.ts';

/**
Lets git rehearse a move of a checkout, on a copy of its index and without touching a file.

It finds what looking at the status can't: edits of files that the person told git to assume unchanged, for one. A real attempt that fails would leave its traces in `ORIG_HEAD` and the index.
*/
export const rehearse = (
	store: Store,
	checkout: Checkout,
	{from, to, what}: {readonly from: string; readonly to: string; readonly what: 'merge' | 'undo'},
): Promise<Obstacle | undefined> =>
	withTemporaryIndex(store, async index => {
		await copyIndex(join(checkout.gitDir, 'index'), index);
		await user(checkout.root, ['update-index', '-q', '--refresh'], {index});
		const result = await user(checkout.root, ['read-tree', '-n', '-m', '-u', from, to], {
			index,
			expect: 'any',
		});
		return result.code === 0
			? undefined
			: {
					cause: 'dirty-checkout',
					message: `Your files in ${checkout.root} stand against the ${what}: ${gitsWords(result)}`,
					hint: 'Commit, stash or move away what git names, then try again.',
				};
	});
