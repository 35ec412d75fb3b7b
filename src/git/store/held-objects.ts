import {access, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {ifThere} from '../../lib/files/if-there.ts';

/**
Returns those of the ids for which none of some folders of objects has a file or a pack of its own.

Git can't tell: to it, what a folder borrows from another one is as good as there.
*/
export const notHeldIn = async (
	folders: readonly string[],
	ids: Iterable<string>,
): Promise<readonly string[]> => {
	let missing: readonly string[] = [...new Set(ids)];
	for (const folder of folders) {
		missing = await notLoose(folder, missing);
	}

	for (const folder of folders) {
		missing = await notPacked(join(folder, 'pack'), missing);
	}

	return missing;
};

const notLoose = async (folder: string, ids: readonly string[]): Promise<readonly string[]> => {
	const are = await Promise.all(
		ids.map(id =>
			access(join(folder, id.slice(0, 2), id.slice(2))).then(
				() => true,
				() => false,
			),
		),
	);
	return ids.filter((_, position) => !are[position]);
};

const notPacked = async (folder: string, ids: readonly string[]): Promise<readonly string[]> => {
	if (ids.length === 0) {
		return ids;
	}

	let missing = ids;
	for (const name of (await ifThere(readdir(folder))) ?? []) {
		const index = name.endsWith('.idx') ? await ifThere(readFile(join(folder, name))) : undefined;
		if (index !== undefined && missing.length > 0) {
			missing = missing.filter(id => !isListed(index, Buffer.from(id, 'hex')));
		}
	}

	return missing;
};

/** Git's index of a pack: eight bytes by which it is known, how many ids begin with at most each byte, the ids in order. */
const header = Buffer.from('ff744f6300000002', 'hex');
const fanEnd = header.length + 256 * 4;

/** An index of another kind lists nothing: to hold an object twice does no harm. */
const isListed = (index: Buffer, id: Buffer): boolean => {
	if (!index.subarray(0, header.length).equals(header)) {
		return false;
	}

	const [first = 0] = id;
	const countUpTo = (byte: number) => (byte < 0 ? 0 : index.readUInt32BE(header.length + byte * 4));
	let [from, to] = [countUpTo(first - 1), countUpTo(first)];
	while (from < to) {
		const middle = Math.floor((from + to) / 2);
		const start = fanEnd + middle * id.length;
		const order = id.compare(index, start, start + id.length);
		if (order === 0) {
			return true;
		}

		[from, to] = order < 0 ? [from, middle] : [middle + 1, to];
	}

	return false;
};
