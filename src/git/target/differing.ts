import {withTemporaryIndex} from '../index/temporary-index.ts';
import {joinNul, splitNul} from '../process/nul.ts';
import {user} from '../process/user.ts';
import type {Store} from '../store/store.ts';
import {type Change, type newOf, type oldOf, sideOf} from '../tree/changes.ts';

/**
Returns the paths whose files differ from one side of the changes, or aren't there.

Git itself compares, on an index made for it, so that filters, line endings, links and modes count as they do for the person.
*/
export const differing = (
	store: Store,
	root: string,
	changes: readonly Change[],
	side: typeof oldOf | typeof newOf,
): Promise<ReadonlySet<string>> =>
	withTemporaryIndex(store, async index => {
		const lines = sideOf(changes, side).map(([path, {mode, oid}]) => `${mode} ${oid}\t${path}`);
		await user(root, ['update-index', '-z', '--index-info'], {index, input: joinNul(lines)});
		await user(root, ['update-index', '-q', '--refresh'], {index, expect: 'any'});
		const {stdout} = await user(root, ['diff-files', '-z', '--name-only'], {index});
		return new Set(splitNul(stdout));
	});
