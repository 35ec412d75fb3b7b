import {Failure} from '../../lib/failure.ts';
import type {State} from '../../state/state.ts';
import {conflictOf} from '../show/conflict-of.ts';
import type {World} from '../world.ts';
import {type HandFile, readHandFile} from './hand-file.ts';
import {type SentSteps, stepsWith, writeHandFile} from './keep-steps.ts';
import {layHunk, removeHunk, stepOfHunk} from './one-hunk.ts';

/** What a person did to a conflicted file, hunk by hunk. */
export type ByHand = SentSteps & {
	readonly item: string;
	/** The hunk that is to be laid into a file of its own, for an editor. */
	readonly lay?: number | undefined;
	/** The hunk that is taken from its file. */
	readonly take?: number | undefined;
};

/**
Keeps what a person did, in the resolution folder, from where `done` takes the file; returns where a hunk was laid, if it was to be.

@throws `Failure` of kind `refused` when the conflict is gone, it has no hunks, or its file changed under the person's hands
*/
export const answerByHand = (
	world: World,
	state: State,
	request: ByHand,
): Promise<{readonly file?: string}> =>
	world.serially(`by-hand:${request.item}`, async () => {
		const file = await readHandFile(world, conflictOf(state, request.item));
		if ('whole' in file) {
			throw new Failure('refused', `There are no hunks to settle. ${file.whole}`);
		}

		const kept = await file.after(stepsWith(file, request));
		await keep(file, kept);
		const {lay, take} = request;
		if (take !== undefined) {
			const steps = await stepOfHunk(world, kept, take);
			await keep(kept, await kept.after([...kept.steps, ...steps]));
			await removeHunk(kept, take);
		}

		return lay === undefined ? {} : {file: await layHunk(kept, lay)};
	});

const keep = async (before: HandFile, after: HandFile): Promise<void> => {
	if (after.steps.length > before.steps.length) {
		await writeHandFile(after);
	}
};
