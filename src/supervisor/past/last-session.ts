import {readFileSync} from 'node:fs';
import {Failure} from '../../lib/failure.ts';
import {atOnce, diskFailure, ifThere} from '../../lib/files/reading.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {canTurn} from '../../state/merge/publication.ts';
import type {State} from '../../state/state.ts';
import {type RepositoryFolder, type SessionFolder, sessionsOf} from '../folder.ts';
import {hasBegun, readOn, readSession, readStanding, type StandingSession} from './read-session.ts';

/**
Reads the last session of a repository, except those that never began or were set aside. If `before` is the same session, only newer events are read.

@throws `Failure` when its journal can't be read although it may be undamaged
*/
export const lastSessionIn = async (
	home: RepositoryFolder,
	before?: StandingSession,
): Promise<StandingSession | undefined> => {
	for (const id of sessionsOf(home).toReversed()) {
		const folder = home.session(id);
		if ((await setAsideAt(folder)) !== undefined) {
			continue;
		}

		const session = await (before?.id === id ? readOn(before) : readStanding(id, folder));
		if (hasBegun(session)) {
			return session;
		}
	}

	return undefined;
};

/** Time at which a person set a session aside, and the reason. */
export type SetAside = {
	/** Time at which the session was set aside, ISO 8601. */
	readonly at: string;
	readonly why: string;
};
/** Returns when and why a session was set aside; `undefined` if it wasn't. The existence of the file is the mark: a person may have created it, with any content. */
export const setAsideAt = async (folder: SessionFolder): Promise<SetAside | undefined> => {
	const look = atOnce(() => readFileSync(folder.setAside, 'utf8'));
	const text = await ifThere(look).catch(error => {
		throw diskFailure(`${folder.setAside} could not be read`, error);
	});
	if (text === undefined) {
		return undefined;
	}

	const {at, why} = readJsonObject(text) ?? {};
	return typeof at === 'string' && typeof why === 'string'
		? {at, why}
		: {at: '1970-01-01T00:00:00.000Z', why: 'no reason was recorded'};
};

/** A session that published changes, and its state. */
export type MergedSession = {readonly id: string; readonly state: State};

/**
Returns the last session of a repository whose merge can be undone or redone; skips sessions that merged nothing.

@throws `Failure` when a later journal is damaged: an earlier merge must not pass for the last
*/
export const lastMerged = async (folder: RepositoryFolder): Promise<MergedSession | undefined> => {
	for (const id of sessionsOf(folder).toReversed()) {
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
			`${id} was set aside because of its journal, so it is not known whether it merged anything.`,
			{hint: 'git log shows the last merge; take it back by hand: git revert'},
		);
	}

	const {state, fault} = await readSession(id, folder);
	if (fault !== undefined) {
		throw fault;
	}

	return state;
};
