import {relative} from 'node:path';
import type {BodyOf} from '../../events/event.ts';
import type {Store} from '../../git/store/store.ts';
import {type Change, changes} from '../../git/tree/changes.ts';
import {isRefusal} from '../../git/tree/disk-path.ts';
import {relink} from '../../git/worktree/revert-paths.ts';
import {Failure} from '../../lib/failure.ts';
import {causeOf, errorCode} from '../../lib/files/reading.ts';
import {defined} from '../../lib/values.ts';
import {type Agent, lastSnapshot, type Snapshot} from '../../state/agent/agent.ts';
import {violationsOf} from '../../state/agent/violations.ts';
import type {World} from '../world.ts';

/** Violations to report, and paths that could not be reverted. */
export type Reverted = {
	readonly left: readonly BodyOf<'scope.left'>[];
	readonly stuck: readonly string[];
};

/** Restores an agent's `.git` file, which is in no tree; a failure is reported once. */
export const bringGitBack = async (
	{folder}: Pick<World, 'folder'>,
	agent: Agent,
	number: number,
): Promise<Reverted> => {
	const {tree, hub, gitAside} = folder.agent(agent.id);
	const why = 'no agent may write it';
	const event = {kind: 'scope.left', agent: agent.id, path: '.git', why} as const;
	try {
		const relinked = await relink(tree, {hub, aside: gitAside(number)});
		if (relinked === undefined) {
			return {left: [], stuck: []};
		}

		const {change, trouble} = relinked;
		const patch = change === 'modified' ? relative(folder.path, gitAside(number)) : '';
		const stuck = whyStuck(trouble);
		return {
			left: [{...event, change, patch, ...defined({stuck})}],
			stuck: stuck === undefined ? [] : [event.path],
		};
	} catch (error) {
		if (errorCode(error) === undefined && !(error instanceof Failure)) {
			throw error;
		}

		const stuck = whyStuck(error);
		if (stuck === undefined) {
			return {left: [], stuck: []};
		}

		const isKnown = lastSnapshot(agent)?.stuck?.includes(event.path) ?? false;
		return {
			left: isKnown ? [] : [{...event, change: 'modified', patch: '', stuck}],
			stuck: [event.path],
		};
	}
};

/** Returns why the file can't be restored; `undefined` if the agent is changing it right now, so that the next snapshot tries again. */
const whyStuck = (error: unknown): string | undefined => {
	if (isRefusal(error)) {
		return 'no user may write there';
	}

	const code = errorCode(error);
	const isPassing = code === undefined || passing.includes(code);
	return causeOf(error)?.cause ?? (isPassing ? undefined : `it can’t be replaced: ${code}`);
};

/** Error codes that a concurrent change causes. */
const passing: readonly string[] = ['EEXIST', 'ENOENT', 'ENOTDIR', 'ELOOP'];

/**
Returns an agent's reverted changes outside its scope, each as in the last snapshot that found its path there.

It reads snapshots, which contain a worktree before anything in it is reverted; so it works for an ended session too.
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
