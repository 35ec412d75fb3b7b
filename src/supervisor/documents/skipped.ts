import {writeAtomically} from '../../lib/files/write-atomically.ts';
import type {Skipped} from '../../state/skipped.ts';
import type {State} from '../../state/state.ts';
import {inline} from './text.ts';

/** The file of all that agents were told to skip. */
export type SkippedItems = {
	/** Takes up what is true now; the file follows. */
	readonly show: (state: State) => void;
	/** Settles when the file shows it. */
	readonly flush: () => Promise<void>;
};

type Parts = {
	readonly path: string;
	/** Called when the file could not be written; the session goes on without it. */
	readonly onTrouble: (error: unknown) => void;
};

/** Keeps `SKIPPED_ITEMS.md`: a projection of the journal, from the first thing that is skipped on. */
export const keepSkippedItems = ({path, onTrouble}: Parts): SkippedItems => {
	let shown = 0;
	let writing = Promise.resolve();
	return {
		show: ({skipped}) => {
			if (skipped.length > shown) {
				shown = skipped.length;
				writing = writing.then(() => writeAtomically(path, skippedText(skipped))).catch(onTrouble);
			}
		},
		flush: () => writing,
	};
};

const skippedText = (skipped: readonly Skipped[]): string =>
	`# Skipped items\n\n${skipped.map(lineOf).join('')}`;

const lineOf = ({at, agent, item, what, why, note}: Skipped): string =>
	`- ${at} ${agent} (${item}): ${[
		inline(what),
		...(why === what ? [] : [`because: ${inline(why)}`]),
		...(note === undefined ? [] : [`note: ${inline(note)}`]),
	].join('; ')}\n`;
