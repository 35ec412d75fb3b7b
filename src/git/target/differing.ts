import type {Change} from '../changes.ts';
import type {Entry} from '../entry.ts';
import {joinNul, splitNul} from '../nul.ts';
import type {Store} from '../store.ts';
import {withTemporaryIndex} from '../temporary-index.ts';
import {user} from '../user.ts';

/**
Returns the paths whose files differ from one side of the changes, or aren't there.

Git itself compares, on an index made for it, so that filters, line endings, links and modes count as they do for the person.
*/
export const differing = (
	store: Store,
	root: string,
	changes: readonly Change[],
	side: (change: Change) => Entry | undefined,
): Promise<ReadonlySet<string>> =>
	withTemporaryIndex(store, async index => {
		const lines = changes.flatMap(change => {
			const entry = side(change);
			return entry === undefined ? [] : [`${entry.mode} ${entry.oid}\t${change.path}`];
		});
		await user(root, ['update-index', '-z', '--index-info'], {index, input: joinNul(lines)});
		await user(root, ['update-index', '-q', '--refresh'], {index, expect: 'any'});
		const {stdout} = await user(root, ['diff-files', '-z', '--name-only'], {index});
		return new Set(splitNul(stdout));
	});
