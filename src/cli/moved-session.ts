import {Failure} from '../lib/failure.ts';
import {findDetachedSessions} from '../supervisor/past/detached-sessions.ts';
import type {Here} from './here.ts';

/**
Returns why the last session that was begun before the repository was moved can't be gone on with here, if there is one.

Worktrees and hubs know the repository by its path, so nothing of it works here; at the old place all of it does.

@param which `active` for one that has not ended
*/
export const movedSession = async (
	{repository, folder}: Here,
	which: 'any' | 'active',
): Promise<Failure | undefined> => {
	const moved = (await findDetachedSessions(repository, folder)).flatMap(session =>
		session.kind === 'moved' && !(which === 'active' && session.hasEnded) ? [session] : [],
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
