import {Failure} from '../../lib/failure.ts';
import {canTurn} from '../../state/merge/publication.ts';
import type {State} from '../../state/state.ts';
import {type RepositoryFolder, type SessionFolder, sessionsOf} from '../folder.ts';
import {hasBegun, readSession, readStanding, type StandingSession} from './read-session.ts';
import {setAsideAt} from './set-aside.ts';

/**
Reads the session that was started last in a repository; those that never began, and those that were set aside, don't count.

@throws `Failure` when its journal can't be read for a reason that lies outside of it.
*/
export const lastSessionIn = async (
	home: RepositoryFolder,
): Promise<StandingSession | undefined> => {
	for (const id of (await sessionsOf(home)).toReversed()) {
		const folder = home.session(id);
		const session =
			(await setAsideAt(folder)) === undefined ? await readStanding(id, folder) : undefined;
		if (session !== undefined && hasBegun(session)) {
			return session;
		}
	}

	return undefined;
};

/** A session whose work was published and changed something, and its state as the journal tells. */
export type MergedSession = {readonly id: string; readonly state: State};

/**
Returns the last session of a repository that published something which can be taken back or brought back; one that had nothing to bring is passed over.

@throws `Failure` when a journal is damaged that would have told, since an earlier merge must not be taken for the last.
*/
export const lastMerged = async (folder: RepositoryFolder): Promise<MergedSession | undefined> => {
	for (const id of (await sessionsOf(folder)).toReversed()) {
		const state = await wholeState(id, folder.session(id));
		if (canTurn(state)) {
			return {id, state};
		}
	}

	return undefined;
};

const wholeState = async (id: string, folder: SessionFolder): Promise<State> => {
	if ((await setAsideAt(folder)) !== undefined) {
		throw new Failure(
			'refused',
			`${id} was set aside because of its journal, so whether it merged anything is not known.`,
			{hint: 'git log shows the last merge; take it back by hand: git revert'},
		);
	}

	const {state, fault} = await readSession(id, folder);
	if (fault !== undefined) {
		throw fault;
	}

	return state;
};
