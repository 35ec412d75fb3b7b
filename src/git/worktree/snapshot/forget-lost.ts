import {offerEntries} from '../../index/index-entries.ts';
import {joinLines, linesOf} from '../../process/lines.ts';
import {lineOf} from '../../process/result.ts';
import {type GitLocation, sealed} from '../../process/sealed.ts';
import {entriesOf, submoduleMode} from '../../tree/entry.ts';

/**
Gives the files of a tree whose content is gone another one in the index, so that they count as changed and are read again.

Git would take the id of a file that looks as it did, whether or not there is anything of that id.
*/
export const forgetLost = async (location: GitLocation, tree: string): Promise<void> => {
	const files = [...(await entriesOf(location, tree))].filter(
		([, {mode}]) => mode !== submoduleMode,
	);
	const args = ['cat-file', '--batch-check', '--buffer'];
	const input = joinLines(files.map(([, {oid}]) => oid));
	const found = linesOf(await sealed(location, args, {input}));
	const lost = files.filter((_, position) => found[position]?.endsWith(' missing'));
	if (lost.length > 0) {
		const oid = await emptyBlob(location);
		await offerEntries(
			location,
			lost.map(([path, {mode}]) => [path, {mode, oid}]),
		);
	}
};

/** Returns the id of a content that is there for certain, and that of next to no file. */
export const emptyBlob = async (location: GitLocation): Promise<string> =>
	lineOf(await sealed(location, ['hash-object', '-w', '--stdin'], {input: ''}));
