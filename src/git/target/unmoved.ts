import {splitNul} from '../process/nul.ts';
import {user} from '../process/user.ts';
import type {Checkout} from '../repository/checkouts.ts';
import type {Store} from '../store/store.ts';
import {type Change, changes, newOf, oldOf} from '../tree/changes.ts';
import {entryOnDisk, isFileAt} from '../tree/disk-path.ts';
import {differing} from './differing.ts';
import type {Step} from './move-checkout.ts';

/**
Returns the changes of a move that a checkout doesn't have although the index says so: their files are what they were before.

A file that is anything else was changed since, by a person, and that is theirs. One that git takes for what it was and for what it was to be has nothing missing.
*/
export const findUnmoved = async (
	{store, from, to}: Pick<Step, 'store' | 'from' | 'to'>,
	{root}: Checkout,
	index: string,
): Promise<readonly Change[]> => {
	const changed = await changes(store, from, to);
	await user(root, ['update-index', '-q', '--refresh'], {index, expect: 'any'});
	const args = ['diff-files', '-z', '--name-only', '--ignore-submodules'];
	const {stdout} = await user(root, args, {index});
	const differs = new Set(splitNul(stdout));
	const kept = new Set(changed.filter(change => newOf(change) !== undefined).map(nameOf));
	const suspects: Change[] = [];
	for (const change of changed) {
		const isStill =
			change.status === 'D'
				? !kept.has(nameOf(change)) && (await isFileAt(root, change.path))
				: differs.has(change.path);
		if (isStill) {
			suspects.push(change);
		}
	}

	return withOldContent(store, root, suspects);
};

/** Where names are folded, a file that was removed under one name may be there under another. */
const nameOf = ({path}: Change): string => path.normalize('NFC').toLowerCase();

const withOldContent = async (
	store: Store,
	root: string,
	suspects: readonly Change[],
): Promise<readonly Change[]> => {
	if (suspects.length === 0) {
		return [];
	}

	const differsFromOld = await differing(store, root, suspects, oldOf);
	const found: Change[] = [];
	for (const change of suspects) {
		const isOld =
			change.status === 'A'
				? (await entryOnDisk(root, change.path)) === undefined
				: !differsFromOld.has(change.path);
		found.push(...(isOld ? [change] : []));
	}

	return found;
};
