import {mkdir, open, readdir, rename} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {forEachConcurrent} from '../../../lib/for-each-concurrent.ts';
import {joinLines} from '../../process/lines.ts';
import {sealed} from '../../process/sealed.ts';
import type {Store} from '../../store/store.ts';
import {
	claimFolder,
	dropFolder,
	type NewObjectsLocation,
	releaseFolder,
	storeFailure,
} from './new-objects-folder.ts';

/**
Lends a location whose new objects come into the store when all is done, each of them on the disk by then; none comes when something fails. Then `keep` makes use of them, while the location is cleared.

Git alone would sync each object before it writes the next one, which takes a disk a millisecond or more: seconds for a thousand files. Before they are in the store nobody counts on them. So git writes them without syncing, and then they are synced side by side, or as one pack if they are many.

@throws `Failure` that names the cause when they can't be brought into the store.
*/
export const withNewObjects = async <Result, Kept>(
	store: Store,
	use: (location: NewObjectsLocation) => Promise<Result>,
	keep: (result: Result) => Promise<Kept>,
): Promise<Kept> => {
	const location = await claimFolder(store);
	const {result, spent} = await broughtIn(location, use).catch(async error => {
		await dropFolder(location);
		throw error;
	});
	const [kept] = await Promise.all([keep(result), releaseFolder(location, spent)]);
	return kept;
};

const broughtIn = async <Result>(
	location: NewObjectsLocation,
	use: (location: NewObjectsLocation) => Promise<Result>,
): Promise<{readonly result: Result; readonly spent: readonly string[]}> => {
	const result = await use(location);
	return {result, spent: await bringIn(location)};
};

/** So many objects are worth a pack; it is the number from which git itself keeps one when it fetches. */
const packFrom = 100;

/** What a killed git left half-written has other names than these. */
const isLoose = (path: string): boolean => /^[\da-f]{2}\/[\da-f]+$/.test(path);
const isPack = (path: string): boolean => /^pack\/pack-[\da-f]+\.(?:pack|rev)$/.test(path);
const isPackIndex = (path: string): boolean => /^pack\/pack-[\da-f]+\.idx$/.test(path);

/** Returns the files that are of no use any more. */
const bringIn = async (location: NewObjectsLocation): Promise<readonly string[]> => {
	const written = await filesBelow(location.newObjects);
	const loose = written.filter(isLoose);
	const isMany = loose.length >= packFrom;
	if (isMany) {
		await pack(location, loose);
	}

	const files = isMany ? await filesBelow(location.newObjects) : written;
	const objects = files.filter(path => isPack(path) || (isLoose(path) && !isMany));
	try {
		// A pack counts from the moment that its index is there.
		await bring(location, objects, files.filter(isPackIndex));
	} catch (error) {
		throw storeFailure(error);
	}

	const brought = new Set(objects);
	return files.filter(path => !(brought.has(path) || isPackIndex(path)));
};

/** Git puts each object into a folder of folders, and packs into one of their own. */
const filesBelow = async (root: string): Promise<readonly string[]> => {
	const found: string[] = [];
	const entries = await readdir(root, {withFileTypes: true});
	const folders = entries.filter(entry => entry.isDirectory() && entry.name !== 'info');
	await forEachConcurrent(folders, listingLaneCount, async ({name: folder}) => {
		const names = await readdir(join(root, folder));
		found.push(...names.map(name => `${folder}/${name}`));
	});
	return found;
};

/** So many folders are listed at a time, so that none of Node.js's threads waits for work between two of them. */
const listingLaneCount = 32;

const pack = async (location: NewObjectsLocation, loose: readonly string[]): Promise<void> => {
	const name = join(location.newObjects, 'pack/pack');
	await sealed(location, ['pack-objects', '--quiet', '--window=0', name], {
		input: joinLines(loose.map(path => path.replace('/', ''))),
		config: {'core.compression': '0'},
	});
};

/** Syncs all of the files, and then moves them into the store, some of them last. */
const bring = async (
	{gitDir, newObjects}: NewObjectsLocation,
	paths: readonly string[],
	last: readonly string[],
): Promise<void> => {
	const all = [...paths, ...last];
	await forEachConcurrent(all, laneCount, path => sync(join(newObjects, path)));
	await forEachConcurrent(new Set(all.map(dirname)), laneCount, async folder => {
		await mkdir(join(gitDir, 'objects', folder), {recursive: true});
	});
	const move = (path: string) => rename(join(newObjects, path), join(gitDir, 'objects', path));
	await forEachConcurrent(paths, laneCount, move);
	await forEachConcurrent(last, laneCount, move);
};

/** As many files are open at a time; Node.js has no more threads for them unless it is told to. */
const laneCount = 4;

const sync = async (path: string): Promise<void> => {
	await using file = await open(path);
	await file.sync();
};
