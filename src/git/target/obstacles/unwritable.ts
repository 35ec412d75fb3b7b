import {join} from 'node:path';
import type {Checkout} from '../../repository/checkouts.ts';
import {type Barrier, findUnwritable} from '../../repository/unwritable-paths.ts';
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
	const unwritable = await findUnwritable(root, changes);
	const [first] = unwritable.values();
	if (first === undefined) {
		return undefined;
	}

	const {because} = first;
	const alike = [...unwritable].filter(([, barrier]) => barrier.because === because);
	const [folder = '', ...more] = new Set(alike.map(([, barrier]) => barrier.folder));
	const where = join(root, folder);
	const paths = alike.map(([path]) => path);
	const others = more.length === 0 ? '' : ` (nor in ${more.join(', ')})`;
	return {
		cause: 'other',
		message: `The ${what} changes ${count(paths)} where nothing may be written: ${reasons[because](where)}${others}.`,
		hint: hints[because](where),
		paths,
	};
};

const reasons: Words = {
	rights: where => `you have no right to write in the folder ${where}`,
	'read-only': where => `the file system that the folder ${where} lies on is read-only`,
};

const hints: Words = {
	rights: where =>
		`Give yourself that right (chmod u+rwx ${where}, if it is yours), then try again.`,
	'read-only': where =>
		`Mount it so that it can be written; findmnt --target ${where} shows which it is. Then try again.`,
};

type Words = Readonly<Record<Barrier['because'], (where: string) => string>>;
