import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {lineEndOf} from '../../conflicts/by-hand/last-line.ts';
import {hunksOf} from '../../conflicts/by-hand/marked-text.ts';
import {hasMarkers} from '../../git/merge/conflict-text.ts';
import {writeBlob} from '../../git/tree/blobs.ts';
import {Failure} from '../../lib/failure.ts';
import {ifThere} from '../../lib/files/if-there.ts';
import {isThere} from '../../lib/files/is-there.ts';
import type {Step} from '../../rules/by-hand/steps.ts';
import type {Works} from '../world.ts';
import type {HandFile} from './hand-file.ts';
import {pickedText} from './written-text.ts';

/** Writes one hunk as it stands into a file of its own, to be edited, and returns where; what somebody left there stays. */
export const layHunk = async (file: HandFile, number: number): Promise<string> => {
	const text = hunkText(file, number);
	const path = hunkFile(file, number);
	await mkdir(join(file.folder, 'hunks'), {recursive: true});
	if (!(await isThere(path))) {
		await writeFile(path, text, 'latin1');
	}

	return path;
};

/**
Returns the step that takes what was written in such a file; none, when that is what the hunk was.

@throws `Failure` of kind `refused` when marks remain in it; it stays where it is.
*/
export const stepOfHunk = async (
	{store}: Works,
	file: HandFile,
	number: number,
): Promise<readonly Step[]> => {
	const before = hunkText(file, number);
	const written = await ifThere(readFile(hunkFile(file, number)));
	if (written === undefined || written.toString('latin1') === before) {
		return [];
	}

	if (hasMarkers(written, file.markerSize)) {
		throw new Failure('refused', 'Conflict marks remain in what you wrote.', {
			hint: 'the hunk is as it was; edit it again to go on where you were',
		});
	}

	const text = endedLike(file, number, written.toString('latin1'));
	const content = await writeBlob(store, Buffer.from(text, 'latin1'));
	return [{do: 'pick', hunk: number, pick: {take: 'edited', content}}];
};

/** Removes such a file once it was taken. */
export const removeHunk = (file: HandFile, number: number): Promise<void> =>
	rm(hunkFile(file, number), {force: true});

const hunkFile = ({folder, path}: HandFile, number: number): string => {
	const name = basename(path);
	return join(folder, 'hunks', `${number + 1}${name.isWellFormed() ? `-${name}` : ''}`);
};

const hunkText = (file: HandFile, number: number): string => {
	const hunk = hunksOf(file.segments ?? [])[number];
	if (hunk === undefined) {
		throw new Failure('refused', `${file.path} has changed in its folder meanwhile.`, {
			hint: 'look at it again; nothing was lost',
		});
	}

	const pick = file.standing.picks.get(number);
	return pick === undefined ? hunk.marked : pickedText(file, hunk, pick);
};

/** What stands before other lines must have an end, or the two would become one. */
const endedLike = ({segments}: HandFile, number: number, text: string): string => {
	const hunks = hunksOf(segments ?? []);
	const hunk = hunks[number];
	const isLast = segments?.at(-1)?.kind === 'hunk' && hunks.length === number + 1;
	return isLast || hunk === undefined || text === '' || text.endsWith('\n')
		? text
		: text + lineEndOf(hunk);
};
