import {posix} from 'node:path';
import type {Guide} from '../../../agents/launch-prompt.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import type {AgentCommand} from '../../../events/plan.ts';
import type {Store} from '../../../git/store/store.ts';
import {readBlob} from '../../../git/tree/blobs.ts';
import {type Entry, entriesOf, symlinkMode} from '../../../git/tree/entry.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import type {World} from '../../world.ts';

/** Returns the guide for an agent whose worktree is made; see `guideAt`. */
export const guideFor = async (
	{store}: Pick<World, 'store'>,
	{subtask, workspace}: Pick<Agent, 'subtask' | 'workspace'>,
): Promise<Guide | undefined> =>
	workspace.phase === 'ready' ? guideAt(store, subtask.agent, workspace.base) : undefined;

/**
Returns what a project tells agents of how to work there, for an agent that does not read it by itself.

It is taken from the commit that the agent's work stands on, where no agent can have changed it.
*/
export const guideAt = async (
	store: Store,
	agent: AgentCommand,
	commit: string,
): Promise<Guide | undefined> => {
	const guides = profileOf(agent)?.guides ?? [];
	if (guides.length === 0) {
		return undefined;
	}

	const entries = await entriesOf(store, commit);
	const path = guides.find(guide => entries.has(guide));
	const text = path === undefined ? undefined : await textAt(store, entries, path);
	if (path === undefined || text === undefined) {
		return undefined;
	}

	const further = [...new Set([...importsIn(text), ...guidesBelow(entries, guides)])]
		.filter(other => other !== path && entries.has(other))
		.slice(0, mostFurther);
	return {path, text, ...(further.length === 0 ? {} : {further})};
};

/** Most files that are named beside a guide. */
const mostFurther = 20;

/** What a guide imports by `@docs/style.md`, as Claude Code and others write it. */
const importsIn = (text: string): readonly string[] =>
	[...text.matchAll(/(?:^|\s)@(?:\.\/)?([\w./-]*\w)/g)].flatMap(([, path]) => path ?? []);

const guidesBelow = (
	entries: ReadonlyMap<string, Entry>,
	guides: readonly string[],
): readonly string[] =>
	[...entries.keys()].filter(path => path.includes('/') && guides.includes(posix.basename(path)));

const textAt = async (
	store: Store,
	entries: ReadonlyMap<string, Entry>,
	path: string,
): Promise<string | undefined> => {
	const read = async ({oid}: Entry): Promise<string> => (await readBlob(store, oid)).toString();
	const entry = entries.get(path);
	if (entry?.mode !== symlinkMode) {
		return entry && read(entry);
	}

	const goal = entries.get(goalOf(path, await read(entry)));
	return goal === undefined || goal.mode === symlinkMode ? undefined : read(goal);
};

/** One guide is often a link to another. */
const goalOf = (path: string, link: string): string =>
	posix.normalize(posix.join(posix.dirname(path), link));
