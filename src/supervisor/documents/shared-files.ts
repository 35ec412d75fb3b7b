import type {Event} from '../../events/event.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';
import {findingIn} from './findings.ts';
import {skippedText} from './skipped.ts';

/** The files in a session's folder of what all agents found out, and were told to skip. */
export type SharedFiles = {
	/** Takes up events that were written, and what is true after them; the files follow. */
	readonly add: (events: readonly Event[], state: State) => void;
	/** Settles when the files show everything that was added. */
	readonly flush: () => Promise<void>;
};

/**
Keeps the shared files: a projection of the journal, each from the first thing on that it tells.

@param onTrouble Called when one could not be written; the session goes on without it.
*/
export const keepSharedFiles = (
	folder: Pick<SessionFolder, 'findings' | 'skipped'>,
	onTrouble: (error: unknown) => void,
): SharedFiles => {
	const findings = new Map<string, string>();
	let skipped = 0;
	let writing = Promise.resolve();
	const write = (path: string, text: string): void => {
		writing = writing.then(() => writeAtomically(path, text)).catch(onTrouble);
	};

	return {
		add: (events, state) => {
			const before = findings.size;
			for (const [key, line] of events.map(findingIn).filter(found => found !== undefined)) {
				findings.set(key, findings.get(key) ?? line);
			}

			if (findings.size > before) {
				write(folder.findings, [...findings.values()].join(''));
			}

			if (state.skipped.length > skipped) {
				skipped = state.skipped.length;
				write(folder.skipped, skippedText(state.skipped));
			}
		},
		flush: () => writing,
	};
};
