import {
	mkdir,
	mkdtemp,
	open,
	readdir,
	rename,
	rm,
	unlink,
	utimes,
	writeFile,
} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {forEachConcurrent} from '../../../lib/concurrency.ts';
import {diskFailure} from '../../../lib/files/reading.ts';
import {offerEntries} from '../../index-entries.ts';
import {joinLines, lineOf, linesOf} from '../../process/result.ts';
import {type GitLocation, sealed} from '../../process/sealed.ts';
import type {Store} from '../../store/store.ts';
import {entriesOf, submoduleMode} from '../../tree/entry.ts';

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

/** A location with a folder for new objects. */
export type NewObjectsLocation = GitLocation & {readonly newObjects: string};

/**
Gives a location whose folder for new objects is nobody else's, and empty but for the folders that git will look for.

Git puts its objects into up to 256 folders. To make them for each snapshot and take them away again would take longer than to write the objects, and some file systems (ext4) pass over what was removed lately one by one, each time that something is made. So one folder is kept, with those in it; of two who want it at once, one makes another.

@throws `Failure` that names the cause when there can be none.
*/
const claimFolder = async (store: Store): Promise<NewObjectsLocation> => {
	try {
		// By its name and its age git's garbage collection knows what a kill left behind.
		const newObjects = await mkdtemp(join(store.gitDir, 'objects/tmp_objdir-'));
		return await prepared({...store, newObjects});
	} catch (error) {
		throw storeFailure(error);
	}
};

/** The error of somebody who can't bring new objects into the store. */
export const storeFailure = (error: unknown): unknown =>
	diskFailure('New objects could not be written into the store', error);

/** Whatever is wrong with the kept folder, a new one will do. */
const prepared = async (location: NewObjectsLocation): Promise<NewObjectsLocation> => {
	const info = join(location.newObjects, 'info');
	try {
		await takeSpare(location).catch(() => undefined);
		await mkdir(info, {recursive: true});
		// It is never synced, so the kept one may be torn.
		await writeFile(join(info, 'alternates'), '..\n');
		return location;
	} catch (error) {
		await dropFolder(location);
		throw error;
	}
};

const takeSpare = async ({gitDir, newObjects}: NewObjectsLocation): Promise<void> => {
	const now = new Date();
	await utimes(spareOf(gitDir), now, now);
	await rename(spareOf(gitDir), newObjects);
};

/** Beside the objects, where no git looks. */
const spareOf = (gitDir: string): string => join(gitDir, 'spare-objects');

/** Keeps the folder for the next one, without the files that are of no use any more, unless one is kept already. */
const releaseFolder = async (
	location: NewObjectsLocation,
	spent: readonly string[],
): Promise<void> => {
	const {gitDir, newObjects} = location;
	try {
		for (const path of spent) {
			await unlink(join(newObjects, path));
		}

		await rename(newObjects, spareOf(gitDir));
	} catch {
		await dropFolder(location);
	}
};

/** Removes the folder with all that is in it; what can't be removed is garbage, and no reason to fail. */
const dropFolder = ({newObjects}: NewObjectsLocation): Promise<void> =>
	rm(newObjects, {recursive: true, force: true}).catch(() => undefined);

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
