import type {Input} from '../../conflicts/input.ts';
import type {TakenFile} from '../../events/event.ts';
import type {Store} from '../../git/store/store.ts';
import {renames} from '../../git/tree/renames.ts';
import {Failure} from '../../lib/failure.ts';

/**
Refuses files that are to come into a work in place of ones that it has under another name: both would stand there.

@throws `Failure` of kind `refused` that names the first of them
*/
export const requireUnmoved = async (
	store: Store,
	{base, commit, owners}: Input,
	files: readonly TakenFile[],
): Promise<void> => {
	const taken = new Set(files.map(({path}) => path));
	const moved = await renames(store, base, commit);
	const split = moved.find(({from, to}) => taken.has(from) !== taken.has(to));
	if (split !== undefined) {
		const {from, to} = split;
		throw new Failure(
			'refused',
			`${owners.join()} renamed ${from} to ${to}, and ${taken.has(from) ? from : to} would come to stand beside that.`,
			{
				hint: 'take hunks of it instead, by a patch: they are merged into the file as it is called now',
			},
		);
	}
};
