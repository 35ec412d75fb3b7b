import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {Agent} from '../../../state/agent/agent.ts';
import type {EndedSession} from './leftover.ts';

/** Where a worktree, its hub and its index lie together. */
export type WorktreeHome = {
	readonly session: EndedSession;
	readonly agent: Agent;
	readonly path: string;
};

/** Returns where worktrees of a session are, or were: what there was of one that had to be recreated lies beside the new one. */
export const worktreeHomes = async (session: EndedSession): Promise<readonly WorktreeHome[]> => {
	const found = session.state.agents.map(async agent => {
		const {path} = session.folder.agent(agent.id);
		const aside = (await namesIn(path)).filter(name => name.startsWith('replaced-'));
		return [path, ...aside.map(name => join(path, name))].map(one => ({session, agent, path: one}));
	});
	return (await Promise.all(found)).flat();
};

/** Returns the path of a worktree of a session, or of a hub without one, that is still there. */
export const worktreeThere = async (session: EndedSession): Promise<string | undefined> => {
	for (const {path} of await worktreeHomes(session)) {
		const names = await namesIn(path);
		const name = ['tree', 'hub.git'].find(one => names.includes(one));
		if (name !== undefined) {
			return join(path, name);
		}
	}

	return undefined;
};

const namesIn = async (folder: string): Promise<readonly string[]> =>
	readdir(folder).catch(() => []);
