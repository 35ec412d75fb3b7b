import {Failure} from '../../lib/failure.ts';
import {joinNul} from '../process/nul.ts';
import type {GitResult} from '../process/result.ts';
import {type GitLocation, sealed, type WorktreeLocation} from '../process/sealed.ts';
import type {Entry} from '../tree/entry.ts';

type Entries = readonly (readonly [path: string, entry: Entry])[];

/**
Puts entries into an index as they are; one in the way of another makes room for it.

@throws `Failure` of kind `refused` for a path that git takes into no index, such as `.git/config`.
*/
export const putEntries = async (location: GitLocation, entries: Entries): Promise<void> => {
	// Git passes over such a path with a word on stderr, and calls that success.
	const {stderr} = await offerEntries(location, entries);
	if (stderr !== '') {
		throw new Failure('refused', `Git refuses a path: ${stderr.trim()}`);
	}
};

/** Puts those of the entries into an index whose paths git takes. */
export const offerEntries = async (location: GitLocation, entries: Entries): Promise<GitResult> => {
	const lines = entries.map(([path, {mode, oid}]) => `${mode} ${oid}\t${path}`);
	return sealed(location, ['update-index', '-z', '--index-info'], {input: joinNul(lines)});
};

/** Takes paths out of an index without a look at the disk, where a link may lead elsewhere. */
export const removeEntries = async (
	location: WorktreeLocation,
	paths: readonly string[],
): Promise<void> => {
	if (paths.length > 0) {
		await sealed(location, ['update-index', '--force-remove', '-z', '--stdin'], {
			input: joinNul(paths),
		});
	}
};
