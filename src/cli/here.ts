import {openRepository, type Repository} from '../git/repository/repository.ts';
import {isLocked} from '../journal/lock.ts';
import {Failure} from '../lib/failure.ts';
import type {Agent} from '../state/agent/agent.ts';
import {undoOf} from '../state/merge/publication.ts';
import {agentOf} from '../state/select.ts';
import {
	type RepositoryFolder,
	repositoryFolder,
	sessionsOf,
	stateFolder,
} from '../supervisor/folder.ts';
import {lastSessionIn} from '../supervisor/past/last-session.ts';
import {
	isStuck,
	readSession,
	type SessionReading,
	type StandingSession,
} from '../supervisor/past/read-session.ts';
import {inVisit} from '../supervisor/requests/visitor.ts';

/** The repository in which the program was started, and the folder of its state. */
export type Here = {
	readonly repository: Repository;
	readonly folder: RepositoryFolder;
};

/** Finds the repository in which the program was started. */
export const findHere = async (directory: string = process.cwd()): Promise<Here> => {
	const repository = await openRepository(directory).catch((error: unknown) => {
		throw inVisit(process.env) ?? error;
	});
	const state = stateFolder(process.env);
	return {repository, folder: repositoryFolder(state, repository.id)};
};

/** The session that was started last, according to its journal. */
export type LastSession = StandingSession;

/** Reads the last session of a repository, or its events since an earlier reading; changes nothing, and needs no supervisor. */
export const readLastSession = (
	{folder}: Here,
	before?: LastSession,
): Promise<LastSession | undefined> => lastSessionIn(folder, before);

export const requireActiveSession = async (here: Here): Promise<LastSession> => {
	const session = await readLastSession(here);
	requireSound(here, session);
	if (session === undefined || !(isActive(session) || isStuck(session))) {
		throw (
			(await (await import('./no-session.ts')).movedSession(here, 'active')) ??
			new Failure('refused', 'No session is active in this repository.', {
				hint: 'delegate-tui run PLAN.yaml starts one',
			})
		);
	}

	return session;
};

export const requireNamedAgent = ({state}: LastSession, id: string): Agent => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		throw new Failure('refused', `There is no agent ${id} in this session.`, {
			hint: `take one of: ${state.agents.map(({id}) => id).join(', ')}`,
		});
	}

	return agent;
};

/** Throws if the last session can't be continued; a supervisor that is still running knows all of it, and can. */
export const requireSound = ({folder}: Here, session: LastSession | undefined): void => {
	if (session?.fault !== undefined && isStuck(session) && !isLocked(folder.lock)) {
		throw session.fault;
	}
};

/** Returns whether an ended session's move of the target is unfinished: an undo is under way, or remains of an interrupted move exist. */
export const isMoving = (session: LastSession | undefined): boolean =>
	session !== undefined &&
	(session.state.interrupted.length > 0 || undoOf(session.state) !== undefined);

export const isActive = (session: LastSession | undefined): session is LastSession =>
	session !== undefined &&
	session.state.session !== null &&
	session.state.session.ended === undefined;

/**
Reads a session of this repository by its id.

@throws `Failure` of kind `usage` that lists the existing ones.
*/
export const readNamedSession = async (here: Here, id: string): Promise<SessionReading> => {
	requireNamed(here, id);
	return readSession(id, here.folder.session(id));
};

export const requireNamed = ({folder}: Here, id: string): void => {
	const ids = sessionsOf(folder);
	if (!ids.includes(id)) {
		throw new Failure('usage', `There is no session ${id} in this repository.`, {
			hint: ids.length === 0 ? 'none was started yet' : `there are ${ids.join(', ')}`,
		});
	}
};
