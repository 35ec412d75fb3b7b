import {join} from 'node:path';
import {copyIndex} from '../../index/copy-index.ts';
import {withTemporaryIndex} from '../../index/temporary-index.ts';
import {type GitResult, gitsWords} from '../../process/result.ts';
import {user} from '../../process/user.ts';
import type {Checkout} from '../../repository/checkouts.ts';
import type {Store} from '../../store/store.ts';
import {changes} from '../../tree/changes.ts';
import {count, type Obstacle} from './obstacle.ts';
import {findOverlooked} from './overlooked.ts';

type Rehearsed = {readonly from: string; readonly to: string; readonly what: 'merge' | 'undo'};

/**
Lets git rehearse a move of a checkout, on a copy of its index and without touching a file.

It finds what looking at the status can't: edits of files that the person told git to assume unchanged, for one. A real attempt that fails would leave its traces in `ORIG_HEAD` and the index.
*/
export const rehearse = (
	store: Store,
	checkout: Checkout,
	move: Rehearsed,
): Promise<Obstacle | undefined> =>
	withTemporaryIndex(store, async index => {
		await copyIndex(join(checkout.gitDir, 'index'), index);
		await user(checkout.root, ['update-index', '-q', '--refresh'], {index});
		const result = await user(checkout.root, ['read-tree', '-n', '-m', '-u', move.from, move.to], {
			index,
			expect: 'any',
		});
		return result.code === 0 ? undefined : refusal(store, checkout, {...move, result});
	});

const refusal = async (
	store: Store,
	checkout: Checkout,
	{from, to, what, result}: Rehearsed & {readonly result: GitResult},
): Promise<Obstacle> => {
	const overlooked = await findOverlooked(checkout, await changes(store, from, to));
	if (overlooked.length === 0) {
		return {
			cause: 'dirty-checkout',
			message: `Your files in ${checkout.root} stand against the ${what}: ${gitsWords(result)}`,
			hint: 'Commit, stash or move away what git names, then try again.',
		};
	}

	const paths = overlooked.map(({path}) => path);
	const flags = [...new Set(overlooked.map(({flag}) => flag))];
	return {
		cause: 'dirty-checkout',
		message: `The ${what} changes ${count(paths)} in ${checkout.root} that git was told not to look at (${flags.join(', ')}): ${gitsWords(result)}`,
		hint: `Let git look again (${flags.map(flag => `git update-index --no-${flag} FILE`).join(', ')}), commit or stash what you find, then try again.`,
		paths,
	};
};
