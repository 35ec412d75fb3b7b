import type {Entry} from './codec.ts';
import {faultFailure} from './fault-failure.ts';
import {readJournal} from './read.ts';

/**
Returns all entries of a journal, for whoever draws conclusions from what is not among them.

A torn end is no harm: what it would say never took effect.

@throws `Failure` of kind `refused` when the journal is damaged or of another version, `missing` when there is none.
*/
export const readWhole = async (folder: string): Promise<readonly Entry[]> => {
	const {entries, end} = await readJournal(folder);
	if (end.kind === 'corrupt' || end.kind === 'unknown-version') {
		throw faultFailure(folder, end);
	}

	return entries;
};
