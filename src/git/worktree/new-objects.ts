import {mkdir, mkdtemp, open, readdir, rename, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {diskFailure} from '../../lib/disk-failure.ts';
import {type Place, sealed} from '../sealed.ts';
import type {Store} from '../store.ts';

/**
Lends a place whose new objects come into the store when all is done, each of them on the disk by then; none comes when something fails.

Git alone would sync each object before it writes the next one, which takes a disk a millisecond or more: seconds for a thousand files. Before they are in the store nobody counts on them. So git writes them without syncing, and then they are synced side by side, or as one pack if they are many.

@throws `Failure` that names the cause when they can't be brought into the store.
*/
export const withNewObjects = async <Result>(
	store: Store,
	use: (place: Place) => Promise<Result>,
): Promise<Result> => {
	// By its name git's garbage collection knows what a kill left behind.
	const newObjects = await mkdtemp(join(store.gitDir, 'objects/tmp_objdir-'));
	try {
		await mkdir(join(newObjects, 'info'));
		await writeFile(join(newObjects, 'info/alternates'), '..\n');
		const place = {...store, newObjects};
		const result = await use(place);
		await bringIn(place);
		return result;
	} finally {
		await rm(newObjects, {recursive: true, force: true});
	}
};

/** So many objects are worth a pack; it is the number from which git itself keeps one when it fetches. */
export const packFrom = 100;

type NewPlace = Place & {readonly newObjects: string};

/** What a killed git left half-written has other names than these. */
const isLoose = (path: string): boolean => /^[\da-f]{2}\/[\da-f]+$/.test(path);
const isPack = (path: string): boolean => /^pack\/pack-[\da-f]+\.(?:pack|rev)$/.test(path);
const isPackIndex = (path: string): boolean => /^pack\/pack-[\da-f]+\.idx$/.test(path);

const bringIn = async (place: NewPlace): Promise<void> => {
	const loose = (await pathsBelow(place.newObjects)).filter(isLoose);
	const isMany = loose.length >= packFrom;
	if (isMany) {
		await pack(place, loose);
	}

	const paths = await pathsBelow(place.newObjects);
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
	await inLanes(all, path => sync(join(newObjects, path)));
	for (const folder of new Set(all.map(dirname))) {
		await mkdir(join(gitDir, 'objects', folder), {recursive: true});
	}

	for (const path of all) {
		await rename(join(newObjects, path), join(gitDir, 'objects', path));
	}
};

const inLanes = async (
	paths: readonly string[],
	act: (path: string) => Promise<void>,
): Promise<void> => {
	const waiting = paths.values();
	const lane = async (): Promise<void> => {
		for (const path of waiting) {
			await act(path);
		}
	};

	await Promise.all(Array.from({length: laneCount}, lane));
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
