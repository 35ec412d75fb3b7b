import {lstat, readFile, rm} from 'node:fs/promises';
import {isLocked} from '../../../journal/lock.ts';
import type {Leftover, LeftoverContext} from './leftover.ts';

/** Returns the socket of a supervisor that is gone; a supervisor that lives holds the lock. */
export const leftoverSocket = async ({
	here: {folder},
}: LeftoverContext): Promise<readonly Leftover[]> => {
	const path = await readFile(folder.socket, 'utf8').catch(() => undefined);
	const entry = path === undefined ? undefined : await lstat(path).catch(() => undefined);
	if (path === undefined || !entry?.isSocket() || isLocked(folder.lock)) {
		return [];
	}

	return [
		{
			kind: 'socket',
			text: `socket that nobody listens at (${path})`,
			bytes: 0,
			verdict: {kind: 'safe'},
			remove: () => rm(path, {force: true}),
		},
	];
};
