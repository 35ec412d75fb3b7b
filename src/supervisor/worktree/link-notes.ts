import {readBlobs} from '../../git/blobs.ts';
import type {Change} from '../../git/changes.ts';
import {symlinkMode} from '../../git/entry.ts';
import type {Store} from '../../git/store.ts';
import {decodePath} from '../../lib/byte-path.ts';

/** Returns a sentence for each link that changes bring: in a list of files it looks like any other. */
export const linkNotes = async (
	store: Store,
	changed: readonly Change[],
): Promise<readonly string[]> => {
	const links = changed.flatMap(change =>
		change.status !== 'D' && change.new.mode === symlinkMode
			? [{path: change.path, oid: change.new.oid}]
			: [],
	);
	if (links.length === 0) {
		return [];
	}

	const texts = await readBlobs(
		store,
		links.map(({oid}) => oid),
	);
	return links.map(
		({path, oid}) => `${path} is a link to “${decodePath(texts.get(oid) ?? Buffer.of())}”.`,
	);
};
