import type {Store} from '../../git/store/store.ts';
import {readBlob} from '../../git/tree/blobs.ts';
import {changes} from '../../git/tree/changes.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import {counted} from '../../lib/text/words.ts';
import type {Snapshot} from '../../state/agent/agent.ts';

/** The reason of a snapshot that is taken while a person is in the worktree: as they enter it, and as they leave. */
export const visitReason = 'a visit';

/** Most files of a visit that are looked at. */
const mostFiles = 50;

/**
Returns a sentence for each file in which none of the lines is left that a person added while they were in the worktree.

An agent that writes a file whole, as it remembers it, overwrites such lines without a word.
*/
export const lostEdits = async (
	store: Store,
	snapshots: readonly Pick<Snapshot, 'reason' | 'tree'>[],
	now: string,
): Promise<readonly string[]> => {
	const notes = new Set<string>();
	for (const [index, {reason, tree}] of snapshots.entries()) {
		const before = snapshots[index - 1];
		if (before?.reason === visitReason && reason === visitReason) {
			const edited = await changes(store, before.tree, tree);
			for (const {path} of edited.slice(0, mostFiles)) {
				const [old, mine, left] = await Promise.all(
					[before.tree, tree, now].map(one => linesAt(store, one, path)),
				);
				const added = [...(mine ?? [])].filter(line => line.trim() !== '' && !old?.has(line));
				if (added.length > 0 && !added.some(line => left?.has(line))) {
					notes.add(`It overwrote ${counted(added.length, 'line')} that you added to ${path}.`);
				}
			}
		}
	}

	return [...notes];
};

const linesAt = async (
	store: Store,
	tree: string,
	path: string,
): Promise<ReadonlySet<string> | undefined> => {
	const entry = (await entriesAt(store, tree, [path])).get(path);
	return entry?.mode.startsWith('100')
		? new Set((await readBlob(store, entry.oid)).toString().split('\n'))
		: undefined;
};
