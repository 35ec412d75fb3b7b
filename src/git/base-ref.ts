import {moveOwnRef} from './own-ref.ts';
import {placeOf, type Repository} from './repository.ts';
import {expectCode} from './result.ts';
import {sealed} from './sealed.ts';

/**
Keeps the commit that a session started from alive in the person's repository.

Hubs and the store borrow the person's objects, so a `git gc` of theirs would otherwise take away what agents stand on. Besides a target that is published to, this is the only ref we write there.
*/
export const pinBase = async (
	repository: Repository,
	session: string,
	oid: string,
): Promise<void> => {
	const {gitDir, commonDir} = repository;
	const ref = baseRef(session);
	expectCode(['update-ref', ref], await moveOwnRef({gitDir, commonDir, ref, oid}));
};

/** Gives up the hold of `pinBase`, once no snapshot or worktree of the session is left; nothing happens when there is none. */
export const unpinBase = async (repository: Repository, session: string): Promise<void> => {
	await sealed(placeOf(repository), ['update-ref', '-d', baseRef(session)]);
};

const baseRef = (session: string): string => `refs/delegate/${session}/base`;
