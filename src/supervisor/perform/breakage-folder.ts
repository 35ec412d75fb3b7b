import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {readBlob} from '../../git/tree/blobs.ts';
import {evidenceText} from '../../state/evidence-text.ts';
import {allPathsOf, type BreakageItem} from '../../state/items/conflict/breakage.ts';
import type {World} from '../world.ts';
import {placeFile} from './place-file.ts';

/** Fills the folder in which a person mends what breaks together: the files in which it shows, as git merges them. There is nothing to mark. */
export const fillWithMerged = async (
	{store}: Pick<World, 'store'>,
	folder: string,
	item: BreakageItem,
): Promise<void> => {
	await mkdir(join(folder, 'files'), {recursive: true});
	await writeFile(join(folder, 'README.txt'), readme(item));
	for (const {path, entry} of item.files) {
		await placeFile(join(folder, 'files'), path, await readBlob(store, entry.oid));
	}
};

const readme = (item: BreakageItem): string =>
	[
		item.summary,
		...(['a', 'b'] as const).map(
			side => `${item[side].join('+')}: ${evidenceText(item.evidence, side)}`,
		),
		...(item.confirmed === undefined ? [] : [`${item.confirmed.by}: ${item.confirmed.text}`]),
		'',
		'The folder "files" holds what git made of both. Make it what it should be, then say that the conflict is done.',
		`Only ${allPathsOf(item).join(' and ')} can come of it; what is deleted there is deleted by the merge.`,
		'',
	].join('\n');
