import {posix} from 'node:path';
import type {Scope} from '../events/plan.ts';
import {readBlob} from '../git/blobs.ts';
import {type Change, changes} from '../git/changes.ts';
import {submoduleMode, symlinkMode} from '../git/entry.ts';
import type {Store} from '../git/store.ts';
import {judge} from '../rules/scope.ts';

/** An agent's changes, told apart by its scope. */
export type Judged = {
	/** What may be merged. */
	readonly inside: readonly Change[];
	/** What must be put back, each with the reason in words. */
	readonly outside: readonly {readonly change: Change; readonly why: string}[];
};

/**
Judges everything that differs between two trees by a scope.

The trees decide and not what an agent says or a watcher saw: whatever it did to get there, a path outside is found here. Its private folder is neither inside nor outside.
*/
export const judgeChanges = async (
	store: Store,
	scope: Scope,
	from: string,
	to: string,
): Promise<Judged> => {
	const inside: Change[] = [];
	const outside: {change: Change; why: string}[] = [];
	for (const change of await changes(store, from, to)) {
		const why = whyOutside(scope, change.path) ?? (await whyUnfit(store, change));
		if (why === 'private') {
			continue;
		}

		if (why === undefined) {
			inside.push(change);
		} else {
			outside.push({change, why});
		}
	}

	return {inside, outside};
};

const whyOutside = (scope: Scope, path: string): string | undefined => {
	const verdict = judge(scope, path);
	if (verdict === 'allowed') {
		return undefined;
	}

	return verdict === 'private' ? 'private' : verdict.outside;
};

/** A link that leads out of the tree would carry what is merged to somebody else's files. */
const whyUnfit = async (store: Store, change: Change): Promise<string | undefined> => {
	if (change.status === 'D') {
		return undefined;
	}

	if (change.new.mode === submoduleMode) {
		return 'a repository inside the repository';
	}

	if (change.new.mode !== symlinkMode) {
		return undefined;
	}

	const goal = Buffer.from(await readBlob(store, change.new.oid)).toString();
	const landing = posix.normalize(posix.join(posix.dirname(change.path), goal));
	return posix.isAbsolute(goal) || landing === '..' || landing.startsWith('../')
		? 'a link that leads out of the worktree'
		: undefined;
};
