import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {diskPath} from '../../git/tree/disk-path.ts';
import {Failure} from '../../lib/failure.ts';

/**
Writes a file at a path of the repository into a folder of ours.

@throws `Failure` of kind `refused` when the path leads out of that folder.
*/
export const placeFile = async (
	folder: string,
	path: string,
	content: Uint8Array,
): Promise<void> => {
	if (relative(folder, join(folder, path)).startsWith('..')) {
		throw new Failure('refused', `${path} is not a path inside the repository.`);
	}

	await mkdir(diskPath(folder, dirname(path)), {recursive: true});
	await writeFile(diskPath(folder, path), content);
};
