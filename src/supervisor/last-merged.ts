import {isEvent} from '../events/decode.ts';
import {readWhole} from '../journal/read-whole.ts';
import {fold} from '../state/apply.ts';
import type {State} from '../state/state.ts';
import {type RepositoryFolder, sessionsOf} from './folder.ts';

/** A session whose work was published, and its state as the journal tells. */
export type MergedSession = {readonly id: string; readonly state: State};

/**
Returns the last session of a repository that published something, whether or not it was taken back.

@throws `Failure` when a journal is damaged that would have told, since an earlier merge must not be taken for the last.
*/
export const lastMerged = async (folder: RepositoryFolder): Promise<MergedSession | undefined> => {
	for (const id of (await sessionsOf(folder)).toReversed()) {
		const entries = await readWhole(folder.session(id).journal);
		const state = fold(entries.filter(isEvent));
		if (state.landing.phase !== 'none') {
			return {id, state};
		}
	}

	return undefined;
};
