import type {Store} from '../../../git/store/store.ts';
import {type Change, changes} from '../../../git/tree/changes.ts';
import type {Agent, Snapshot} from '../../../state/agent/agent.ts';
import {violationsOf} from '../../../state/agent/violations.ts';

/**
Returns what an agent changed outside its scope and what was reverted, each path as the last snapshot held it that found it there.

It is read from snapshots, which hold a worktree before anything in it is reverted; so it can be had of a session that is over, too.
*/
export const revertedChanges = async (
	store: Store,
	agent: Agent,
	paths: readonly string[] = violationsOf(agent).reverted,
): Promise<readonly Change[]> => {
	const isWanted = new Set(paths);
	const last = new Map<string, Snapshot>();
	for (const snapshot of agent.snapshots) {
		for (const path of snapshot.outside.filter(path => isWanted.has(path))) {
			last.set(path, snapshot);
		}
	}

	const found = new Map<string, Change>();
	for (const {startingPoint, tree} of new Set(last.values())) {
		for (const change of await changes(store, startingPoint.baseline, tree)) {
			if (last.get(change.path)?.tree === tree) {
				found.set(change.path, change);
			}
		}
	}

	return [...found.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
};
