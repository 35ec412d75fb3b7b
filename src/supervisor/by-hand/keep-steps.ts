import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {diskPath} from '../../git/tree/disk-path.ts';
import {Failure} from '../../lib/failure.ts';
import {newSteps, type Step} from '../../rules/by-hand/steps.ts';
import {placeFile} from '../perform/place-file.ts';
import {type HandFile, hunkCount} from './hand-file.ts';
import {writeSteps} from './steps-file.ts';
import {writtenText} from './written-text.ts';

/** Steps that somebody took who had seen so many before. */
export type SentSteps = {readonly after: number; readonly steps: readonly Step[]};

/**
Returns all steps once some more were taken.

@throws `Failure` of kind `refused` when the file is not as whoever took them saw it.
*/
export const stepsWith = (file: HandFile, {after, steps}: SentSteps): readonly Step[] => {
	const fresh = newSteps(file.steps, after, steps);
	const count = hunkCount(file);
	if (fresh === undefined || fresh.some(step => step.do === 'pick' && step.hunk >= count)) {
		throw new Failure('refused', `${file.path} has changed in its folder meanwhile.`, {
			hint: 'look at it again; nothing was lost, and nothing of this was taken',
		});
	}

	return [...file.steps, ...fresh];
};

/** Writes the file as it was settled so far, and what led to it. */
export const writeHandFile = async (file: HandFile): Promise<void> => {
	const {folder, path, steps} = file;
	const text = writtenText(file);
	await writeSteps(folder, steps);
	if (text === undefined) {
		await rm(diskPath(join(folder, 'files'), path), {force: true});
	} else {
		await placeFile(join(folder, 'files'), path, Buffer.from(text, 'latin1'));
	}
};
