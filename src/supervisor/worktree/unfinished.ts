import {readFile, rm} from 'node:fs/promises';
import {ifThere} from '../../lib/files/if-there.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import type {AgentFolder} from '../folder.ts';

/** What is being done to an agent's worktree. */
export type Doing =
	/** Its files are brought from one tree to another. */
	| 'changed'
	/** It is recreated; what was there instead lies in the folder of this name. */
	| {readonly aside: string};

/**
Notes beside an agent's worktree that it is neither as its agent left it nor as the journal tells.

It is written before the first file is touched, and removed when the event is written that tells of the last one. So whoever finds it knows that somebody was cut off in between, and that what is there is nobody's work.
*/
export const noteUnfinished = ({unfinished}: AgentFolder, doing: Doing): Promise<void> =>
	writeAtomically(unfinished, doing === 'changed' ? '' : doing.aside);

/** Returns what was being done to a worktree, if that did not come to its end. */
export const unfinishedIn = async ({unfinished}: AgentFolder): Promise<Doing | undefined> => {
	const aside = await ifThere(readFile(unfinished, 'utf8'));
	if (aside === undefined) {
		return undefined;
	}

	return aside === '' ? 'changed' : {aside};
};

/** Says that a worktree is as the journal tells. */
export const noteFinished = ({unfinished}: AgentFolder): Promise<void> =>
	rm(unfinished, {force: true});
