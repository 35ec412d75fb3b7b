import {join} from 'node:path';
import {findBarred} from '../../repository/barred.ts';
import type {Checkout} from '../../repository/checkouts.ts';
import type {Change} from '../../tree/changes.ts';
import {count, type Obstacle} from './obstacle.ts';

/**
Looks for folders of a checkout in which changes would have to be made and that we may not write in.

Git itself finds out in the middle: it warns of a file that it can't remove, goes on, and calls that done.
*/
export const unwritableObstacle = async (
	{root}: Checkout,
	changes: readonly Change[],
	what: 'merge' | 'undo',
): Promise<Obstacle | undefined> => {
	const barred = await findBarred(root, changes);
	const [folder, ...more] = new Set(barred.values());
	if (folder === undefined) {
		return undefined;
	}

	const paths = [...barred.keys()];
	const place = join(root, folder);
	const others = more.length === 0 ? '' : ` (nor in ${more.join(', ')})`;
	return {
		cause: 'other',
		message: `The ${what} changes ${count(paths)} where nothing may be written: you have no right to write in the folder ${place}${others}.`,
		hint: `Give yourself that right (chmod u+rwx ${place}, if it is yours), then try again.`,
		paths,
	};
};
