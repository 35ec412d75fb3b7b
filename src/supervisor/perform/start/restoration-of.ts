import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import {completedIn, type Restoration, tasksAfter} from '../../../agents/resume/restoration.ts';
import {changes} from '../../../git/tree/changes.ts';
import {withWorktree} from '../../../git/worktree/open-worktree.ts';
import {defined} from '../../../lib/defined.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import type {World} from '../../world.ts';

/** Most files that a prompt names; git can tell the agent the rest. */
const maximumFiles = 50;

/** Returns where an agent stands: what is said to be there is what git finds in the last snapshot, and what the agent named is looked for on the disk. */
export const restorationOf = async (world: World, agent: Agent): Promise<Restoration> => {
	const {rebuilt, replies, subtask} = agent;
	const snapshot = agent.snapshots.at(-1);
	const changed = snapshot
		? await changes(world.store, snapshot.startingPoint.base, snapshot.work)
		: [];
	const statuses = replies.flatMap(reply => reply.workStatus ?? []);
	const blockedAt = statuses.flatMap(status => status.blockedAt ?? []).at(-1);
	const directory = world.folder.agent(agent.id).tree;
	const named = statuses.flatMap(({files = []}) => files);
	return {
		...defined({rebuilt, blockedAt}),
		completed: [...progressOf(agent), ...completedIn(statuses)].join('; ') || 'unknown',
		files: changed.slice(0, maximumFiles).map(({path}) => path),
		missing: await missingIn(directory, named.slice(0, maximumFiles)),
		directory,
		...tasksAfter(replies, subtask.goal ?? subtask.subtask),
	};
};

const progressOf = ({progress, updates: {phase, status}}: Agent): readonly string[] => {
	const said = [phase, status].filter(word => word !== undefined).join(': ');
	const words = [progress === null ? '' : `${progress} %`, said === '' ? '' : `(${said})`];
	const line = words.filter(word => word !== '').join(' ');
	return line === '' ? [] : [line];
};

/** What lies elsewhere is none of ours to look for. */
const missingIn = async (
	directory: string,
	named: readonly string[],
): Promise<readonly string[]> => {
	const within = named.filter(isWithin);
	return within.length === 0
		? []
		: withWorktree(directory, async root => {
				const there = await Promise.all(within.map(path => isThere(join(root, path))));
				return within.filter((_, position) => !there[position]);
			});
};

const isWithin = (path: string): boolean =>
	path !== '' && !path.startsWith('/') && !path.includes('\0') && !path.split('/').includes('..');

const isThere = (path: string): Promise<boolean> =>
	lstat(path).then(
		() => true,
		() => false,
	);
