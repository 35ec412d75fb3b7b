import {realpath} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import type {Page} from '../../control/socket.ts';
import type {Subject} from '../../control/subject.ts';
import {readRef, refsBelow, withReadingStore} from '../../git/store/store.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {isThere} from '../../lib/files/reading.ts';
import {shortOid} from '../../lib/text/words.ts';
import {readVerb} from '../../rules/commands/read-decision.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {repositoryFolder} from '../folder.ts';
import {type ShowParts, show} from './show.ts';

/**
Returns the text that the supervisor would have shown in a past state.

It takes no lock and writes nothing into the state folder, so it works for a running session too.

@throws `Failure` of kind `missing` when objects that it needs are gone, and of kind `refused` when the text was never recorded
*/
export const showRecorded = async (
	work: RecordedWork,
	state: State,
	parts: ShowParts,
): Promise<Page> => {
	requireRecorded(state, parts.what);
	if (!(await isThere(work.store))) {
		throw new Failure(
			'missing',
			`The store with the work of ${work.session} is gone: there is no ${work.store}.`,
		);
	}

	try {
		return await withReadingStore({gitDir: work.store}, store => show({store}, state, parts));
	} catch (error) {
		const failure = asFailure(error);
		const gone = failure.kind === 'internal' ? await whatIsGone(work, state) : undefined;
		throw gone === undefined ? failure : new Failure('missing', gone, {cause: error});
	}
};

/** Throws for a resolution folder: it isn't in the store, and may have changed since. */
const requireRecorded = (state: State, what: Subject): void => {
	if (what.of === 'hunks' || isOfFolder(state, what)) {
		throw new Failure(
			'refused',
			'The content of the folder at this moment was not recorded; the files taken from it are in the result.',
		);
	}
};

const isOfFolder = (state: State, what: Subject): boolean => {
	const item = what.of === 'outcome' ? itemOf(state, what.item) : undefined;
	return (
		what.of === 'outcome' && item !== undefined && readVerb(state, item, what.choice) === 'done'
	);
};

/** Returns the missing part of a session's work, if that is why git failed. */
const whatIsGone = async (
	{session, store: gitDir}: RecordedWork,
	state: State,
): Promise<string | undefined> => {
	const store = {gitDir};
	if ((await refsBelow(store, `refs/delegate/${session}`)).size === 0) {
		return `The snapshots of ${session} are gone: "delegate-tui doctor --clean" removes those of sessions that ended long ago.`;
	}

	const {base, repository} = state.session ?? {};
	return base === undefined || (await readRef(store, `${base}^{tree}`)) !== undefined
		? undefined
		: `Commit ${shortOid(base)}, on which ${session} stands, is gone: the repository ${repository?.root} was moved or removed, or its history was.`;
};

/** Location of the work of a replayed session. */
export type RecordedWork = {
	readonly session: string;
	/** Path of the supervisor's own repository. */
	readonly store: string;
};

/** Finds the work of a session by its folder, or by its journal's folder; `undefined` for a session that was copied out of the state folder. */
export const findRecordedWork = async (path: string): Promise<RecordedWork | undefined> => {
	const real = await realpath(path);
	const session = basename(real) === 'journal' ? dirname(real) : real;
	const home = dirname(session);
	const {lock, store} = repositoryFolder(dirname(home), basename(home));
	return (await isThere(lock)) ? {session: basename(session), store} : undefined;
};
