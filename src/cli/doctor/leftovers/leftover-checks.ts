import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {removeCheckout} from '../../../git/store/checkout-tree.ts';
import {diskUsage} from '../../../lib/files/disk-usage.ts';
import {type EndedSession, endedSessions, type Leftover, type LeftoverContext} from './leftover.ts';

/** Returns the worktrees in which checks of ended sessions ran; what was checked is a commit, and the logs stay. */
export const leftoverChecks = async (context: LeftoverContext): Promise<readonly Leftover[]> => {
	const found = endedSessions(context).map(async session => {
		const {checks} = session.folder;
		const entries = await readdir(checks, {withFileTypes: true}).catch(() => []);
		const folders = entries.filter(entry => entry.isDirectory());
		return Promise.all(folders.map(({name}) => checkIn(session, join(checks, name))));
	});
	return (await Promise.all(found)).flat();
};

const checkIn = async ({id, endedAt}: EndedSession, path: string): Promise<Leftover> => ({
	kind: 'check',
	text: `worktree of a check in ${id} (${path})`,
	session: {id, endedAt},
	bytes: await diskUsage(path),
	verdict: {kind: 'safe'},
	remove: () => removeCheckout(path),
});
