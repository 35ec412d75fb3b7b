import {readdir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {pinnedSessions} from '../../git/repository/base-ref.ts';
import {openRepository, type Repository} from '../../git/repository/repository.ts';
import {ifThere} from '../../lib/files/if-there.ts';
import {type RepositoryFolder, repositoryFolder, sessionsOf} from '../folder.ts';
import {readSession} from './read-session.ts';

/**
A session that the repository holds the base of, and whose state is not where that of the repository is.

- `moved`: it was begun when the repository was at another place, by whose path its state is kept
- `copied`: it belongs to a repository of which this one is a copy
- `lost`: there is no state of it
*/
export type DetachedSession = {readonly id: string} & (
	| {readonly kind: 'moved'; readonly root: string; readonly hasEnded: boolean}
	| {readonly kind: 'copied' | 'lost'}
);

/**
Finds the sessions of a repository that are known by nothing but their base, the first one first.

@throws where it can't be looked at what state there is: then none of it counts as lost.
*/
export const findDetachedSessions = async (
	repository: Repository,
	folder: RepositoryFolder,
): Promise<readonly DetachedSession[]> => {
	const here = await sessionsOf(folder);
	const strange = (await pinnedSessions(repository)).filter(id => !here.includes(id));
	return Promise.all(strange.map(id => findElsewhere(folder, id)));
};

const findElsewhere = async ({path}: RepositoryFolder, id: string): Promise<DetachedSession> => {
	const state = dirname(path);
	for (const name of (await ifThere(readdir(state))) ?? []) {
		const folder = repositoryFolder(state, name).session(id);
		if ((await ifThere(stat(folder.path))) !== undefined) {
			const {session} = (await readSession(id, folder)).state;
			const root = session?.repository.root ?? name;
			return (await isStillAt(root, name))
				? {id, kind: 'copied'}
				: {id, kind: 'moved', root, hasEnded: session?.ended !== undefined};
		}
	}

	return {id, kind: 'lost'};
};

const isStillAt = (root: string, repositoryId: string): Promise<boolean> =>
	openRepository(root).then(
		({id}) => id === repositoryId,
		() => false,
	);
