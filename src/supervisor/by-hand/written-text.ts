import {joined, lineEndOf} from '../../conflicts/by-hand/last-line.ts';
import {type Hunk, hunksOf, writeMarked} from '../../conflicts/by-hand/marked-text.ts';
import {type HunkPick, partsOf} from '../../rules/by-hand/steps.ts';
import type {HandFile} from './hand-file.ts';

type Written = Pick<HandFile, 'segments' | 'standing' | 'edited'>;

/** Returns what the file should hold as it was settled so far, marks of the rest included; `undefined` where it was removed. */
export const writtenText = (file: Written): string | undefined => {
	const {segments, standing} = file;
	if (segments === null) {
		return undefined;
	}

	const hunks = hunksOf(segments);
	return writeMarked(segments, number => {
		const [hunk, pick] = [hunks[number], standing.picks.get(number)];
		return hunk === undefined || pick === undefined ? undefined : pickedText(file, hunk, pick);
	});
};

/** Returns what a hunk becomes with a pick. */
export const pickedText = ({edited}: Pick<Written, 'edited'>, hunk: Hunk, pick: HunkPick): string =>
	partsOf(pick)
		.map(part => (part.of === 'edited' ? (edited.get(part.content) ?? '') : hunk[part.of]))
		.reduce((text, part) => joined(text, part, lineEndOf(hunk)));
