import {mkdir, mkdtemp, open, readdir, rename, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {diskFailure} from '../../lib/disk-failure.ts';
import {inLanes} from '../../lib/in-lanes.ts';
import {type Place, sealed} from '../sealed.ts';
import type {Store} from '../store.ts';

/**
Lends a place whose new objects come into the store when all is done, each of them on the disk by then; none comes when something fails. Then `keep` makes use of them, while what is left of the place is removed.

Git alone would sync each object before it writes the next one, which takes a disk a millisecond or more: seconds for a thousand files. Before they are in the store nobody counts on them. So git writes them without syncing, and then they are synced side by side, or as one pack if they are many.

@throws `Failure` that names the cause when they can't be brought into the store.
*/
export const withNewObjects = async <Result, Kept>(
	store: Store,
	use: (place: Place) => Promise<Result>,
	keep: (result: Result) => Promise<Kept>,
): Promise<Kept> => {
	// By its name git's garbage collection knows what a kill left behind.
	const newObjects = await mkdtemp(join(store.gitDir, 'objects/tmp_objdir-'));
	const remove = () => rm(newObjects, {recursive: true, force: true});
	const result = await broughtIn({...store, newObjects}, use).catch(async error => {
		await remove();
		throw error;
	});
	const [kept] = await Promise.all([keep(result), remove()]);
	return kept;
};

const broughtIn = async <Result>(
	place: NewPlace,
	use: (place: Place) => Promise<Result>,
): Promise<Result> => {
	await mkdir(join(place.newObjects, 'info'));
	await writeFile(join(place.newObjects, 'info/alternates'), '..\n');
	const result = await use(place);
	await bringIn(place);
	return result;
};

/** So many objects are worth a pack; it is the number from which git itself keeps one when it fetches. */
export const packFrom = 100;

type NewPlace = Place & {readonly newObjects: string};

/** What a killed git left half-written has other names than these. */
const isLoose = (path: string): boolean => /^[\da-f]{2}\/[\da-f]+$/.test(path);
const isPack = (path: string): boolean => /^pack\/pack-[\da-f]+\.(?:pack|rev)$/.test(path);
const isPackIndex = (path: string): boolean => /^pack\/pack-[\da-f]+\.idx$/.test(path);

const bringIn = async (place: NewPlace): Promise<void> => {
	const written = await pathsBelow(place.newObjects);
	const loose = written.filter(isLoose);
	const isMany = loose.length >= packFrom;
	if (isMany) {
		await pack(place, loose);
	}

	const paths = isMany ? await pathsBelow(place.newObjects) : written;
	const objects = paths.filter(path => isPack(path) || (isLoose(path) && !isMany));
	try {
		// A pack counts from the moment that its index is there.
		await bring(place, objects, paths.filter(isPackIndex));
	} catch (error) {
		throw diskFailure('New objects could not be written into the store', error);
	}
};

const pathsBelow = (folder: string): Promise<readonly string[]> =>
	readdir(folder, {recursive: true});

const pack = async (place: NewPlace, loose: readonly string[]): Promise<void> => {
	const name = join(place.newObjects, 'pack/pack');
	await sealed(place, ['pack-objects', '--quiet', '--window=0', name], {
		input: loose.map(path => `${path.replace('/', '')}\n`).join(''),
		config: {'core.compression': '0'},
	});
};

/** Syncs all of the files, and then moves them into the store, some of them last. */
const bring = async (
	{gitDir, newObjects}: NewPlace,
	paths: readonly string[],
	last: readonly string[],
): Promise<void> => {
	const all = [...paths, ...last];
	await inLanes(all, laneCount, path => sync(join(newObjects, path)));
	await inLanes(new Set(all.map(dirname)), laneCount, async folder => {
		await mkdir(join(gitDir, 'objects', folder), {recursive: true});
	});
	const move = (path: string) => rename(join(newObjects, path), join(gitDir, 'objects', path));
	await inLanes(paths, laneCount, move);
	await inLanes(last, laneCount, move);
};

/** As many files are open at a time; Node.js has no more threads for them unless it is told to. */
const laneCount = 4;

const sync = async (path: string): Promise<void> => {
	const file = await open(path);
	try {
		await file.sync();
	} finally {
		await file.close();
	}
};
