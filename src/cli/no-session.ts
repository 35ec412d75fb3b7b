import type {Repository} from '../git/repository/repository.ts';
import {Failure} from '../lib/failure.ts';
import type {RepositoryFolder} from '../supervisor/folder.ts';
import {findMovedSessions} from '../supervisor/past/set-aside.ts';
import {readSessions} from './doctor/sessions/read-sessions.ts';

type Place = {readonly repository: Repository; readonly folder: RepositoryFolder};

/** Returns a text that there is no session to show, with those that were set aside. */
export const noSessionText = async ({folder}: Pick<Place, 'folder'>): Promise<string> => {
	const aside = (await readSessions(folder)).filter(({kind}) => kind === 'aside');
	return aside.length === 0
		? 'No session in this repository yet.'
		: `No session in this repository except those set aside: ${aside.map(({id}) => id).join(', ')}.`;
};

/**
Returns the reason why the last session can't be continued here, if the repository was moved since it began.

Worktrees and hubs contain the repository's path, so they work only at the old place.

@param which `active` for one that has not ended.
*/
export const movedSession = async (
	{repository, folder}: Place,
	which: 'any' | 'active',
): Promise<Failure | undefined> => {
	const moved = (await findMovedSessions(repository, folder)).filter(
		({hasEnded}) => which === 'any' || !hasEnded,
	);
	const last = moved.at(-1);
	return last === undefined
		? undefined
		: new Failure(
				'refused',
				`Session ${last.id} was begun in ${last.root}, before this repository was moved${last.hasEnded ? '' : ', and has not ended'}.`,
				{
					hint: `move the repository back to go on with it there; or give it up here: git update-ref -d refs/delegate/${last.id}/base`,
				},
			);
};
