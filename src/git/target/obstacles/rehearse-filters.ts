import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {filtersInIndex} from '../../filters/filter-attribute.ts';
import {withTemporaryIndex} from '../../index/temporary-index.ts';
import {joinNul} from '../../process/nul.ts';
import {gitsWords} from '../../process/result.ts';
import {user} from '../../process/user.ts';
import type {Checkout} from '../../repository/checkouts.ts';
import {settingsLike} from '../../settings/of-person.ts';
import type {Store} from '../../store/store.ts';
import {type Change, newOf} from '../../tree/changes.ts';
import {submoduleMode} from '../../tree/entry.ts';
import type {Obstacle} from './obstacle.ts';

/**
Lets the person's filters write what a move brings, into a folder of ours.

One that fails or hangs would stop git in the middle of the checkout, and could keep us from putting it back. What a filter fetched for this is at hand for the move itself.
*/
export const rehearseFilters = async (
	store: Store,
	{root, gitDir}: Checkout,
	{changes, to, what}: {changes: readonly Change[]; to: string; what: 'merge' | 'undo'},
): Promise<Obstacle | undefined> => {
	const written = changes.filter(
		change => ![undefined, submoduleMode].includes(newOf(change)?.mode),
	);
	if (written.length === 0 || (await settingsLike(root, '^filter\\.')).length === 0) {
		return undefined;
	}

	return withTemporaryIndex(store, async index => {
		await user(root, ['read-tree', to], {index});
		// The attributes are those of the tree that the move leads to, as they are for git.
		const paths = written.map(({path}) => path);
		const filtered = [...(await filtersInIndex(root, index, paths)).keys()];
		if (filtered.length === 0) {
			return undefined;
		}

		const folder = join(dirname(index), 'files');
		await mkdir(folder);
		const result = await user(
			folder,
			[
				`--git-dir=${gitDir}`,
				`--work-tree=${folder}`,
				'checkout-index',
				'--quiet',
				'-z',
				'--stdin',
			],
			{index, input: joinNul(filtered), expect: 'any'},
		);
		return result.code === 0
			? undefined
			: {
					cause: 'other',
					message: `A filter that your git is set up with can’t write what the ${what} brings: ${gitsWords(result)}`,
					hint: 'See that the filter works, then try again.',
					paths: filtered,
				};
	});
};
