import {resolve, sep} from 'node:path';

/** What a file of questions tells of whose it is. */
export type Claimed = {
	/** Its name without the ending. */
	readonly id: string;
	readonly workflow: string;
	readonly askedBy: string;
	/** Paths that it names: its checkpoint, its folder. */
	readonly paths: readonly string[];
};

/** An agent of the session, as far as a file can name it. */
export type Claimant = {
	readonly id: string;
	/** Folder that holds all that is its own, its worktree among them. */
	readonly folder: string;
	readonly isLive: boolean;
};

/**
Returns the agent of this session that a file of questions is from, if it is from one.

All sessions and other tools share the folder, so what says nothing of itself is nobody's: a file must name the session, or a path of an agent's. Of a session with one agent at work that is enough; else it must name the agent, too.
*/
export const claimantOf = (
	claimed: Claimed,
	session: string,
	agents: readonly Claimant[],
): string | undefined => {
	const byPath = agents.filter(({folder}) => claimed.paths.some(path => isIn(path, folder)));
	if (byPath.length === 1) {
		return byPath[0]?.id;
	}

	const words = [claimed.id, claimed.workflow, ...claimed.paths];
	if (!words.some(word => word.includes(session))) {
		return undefined;
	}

	const named = agents.filter(({id}) =>
		[claimed.askedBy, ...words].some(word => word.split(/[^A-Za-z0-9-]+/).includes(id)),
	);
	const live = agents.filter(({isLive}) => isLive);
	const [only, ...others] = named.length > 0 ? named : live;
	return others.length === 0 ? only?.id : undefined;
};

const isIn = (path: string, folder: string): boolean => {
	const absolute = resolve(path);
	return path.startsWith(sep) && (absolute === folder || absolute.startsWith(folder + sep));
};
