import type {Store} from '../../git/store/store.ts';
import {readBlob} from '../../git/tree/blobs.ts';
import {changes} from '../../git/tree/changes.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import {counted} from '../../lib/text/words.ts';
import type {Snapshot} from '../../state/agent/agent.ts';

/** Reasons of snapshots while a person is in the worktree: the first one when they enter it, the others until they leave. */
const enterReason = 'a visit begins';
const visitReason = 'a visit';

/** Returns the reason of a snapshot while a person is in a worktree: they have just entered if no visit has pinned it since its agent was held. */
export const reasonOfVisit = ({
	held = '',
	snapshots,
}: {
	readonly held?: string;
	readonly snapshots: readonly Pick<Snapshot, 'reason' | 'at'>[];
}): string => {
	const last = snapshots.at(-1);
	const isWithin = last?.reason === enterReason || last?.reason === visitReason;
	return isWithin && last.at >= held ? visitReason : enterReason;
};

/** Maximum number of files of a visit to check. */
const mostFiles = 50;

/**
Returns a sentence for each file that has lost all lines that a person added while they were in the worktree.

An agent that rewrites a whole file from memory overwrites such lines silently.
*/
export const lostEdits = async (
	store: Store,
	snapshots: readonly Pick<Snapshot, 'reason' | 'tree'>[],
	now: string,
): Promise<readonly string[]> => {
	const notes = new Set<string>();
	let before: string | undefined;
	for (const {reason, tree} of snapshots) {
		if (before !== undefined && reason === visitReason) {
			const edited = await changes(store, before, tree);
			for (const {path} of edited.slice(0, mostFiles)) {
				const [old, mine, left] = await Promise.all(
					[before, tree, now].map(one => linesAt(store, one, path)),
				);
				const added = [...(mine ?? [])].filter(line => line.trim() !== '' && !old?.has(line));
				if (added.length > 0 && !added.some(line => left?.has(line))) {
					notes.add(`It overwrote ${counted(added.length, 'line')} that you added to ${path}.`);
				}
			}
		}

		before =
			reason === enterReason || (reason === visitReason && before !== undefined) ? tree : undefined;
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
