import {readFile, readlink, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Body} from '../../events/event.ts';
import {
	type ConflictSides,
	conflictText,
	hasMarkers,
	markerSizeOf,
} from '../../git/merge/conflict-text.ts';
import {copyBorrowedAll} from '../../git/store/copy-borrowed.ts';
import {readBlob, writeBlob} from '../../git/tree/blobs.ts';
import {diskPath, entryOnDisk, isBelowFolders} from '../../git/tree/disk-path.ts';
import {submoduleMode, symlinkMode} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import {isThere} from '../../lib/files/is-there.ts';
import type {ItemOf} from '../../state/item.ts';
import {
	allPathsOf,
	type FileConflictItem,
	isBreakage,
} from '../../state/items/conflict/breakage.ts';
import type {Seen} from '../../state/items/kind.ts';
import type {ResolvedFile} from '../../state/merge/merge.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {fillWithBoth, seeBoth} from '../by-hand/file-and-folder.ts';
import type {Works, World} from '../world.ts';
import {fillWithMerged} from './breakage-folder.ts';
import {placeFile} from './place-file.ts';

/**
Makes the folder in which a person resolves a conflict by hand.

It holds the conflicted file with diff3 markers (`files/`), and each side's whole version beside it (`base/`, and one folder named after each side), for what markers can't show. A `README.txt` says which file will be taken.
*/
export const openResolution = async (
	world: World,
	state: State,
	id: string,
): Promise<readonly Body[]> => {
	const item = itemOf(state, id);
	if (item?.kind !== 'conflict') {
		return [];
	}

	const folder = world.folder.resolution(id);
	// Work that a person has begun in it is never written over.
	if (!(await isThere(folder))) {
		const making = `${folder}.making`;
		await rm(making, {recursive: true, force: true});
		await fill(world, state, making, item);
		await rename(making, folder);
	}

	return [{kind: 'resolution.opened', conflict: id, folder}];
};

const fill = async (
	world: World,
	state: State,
	folder: string,
	item: ItemOf<'conflict'>,
): Promise<void> => {
	if (isBreakage(item)) {
		return fillWithMerged(world, folder, item);
	}

	if (await fillWithBoth(world, state, folder, item)) {
		return;
	}

	const [a, b] = [item.a.join('+'), item.b.join('+')];
	const {base, a: ours, b: theirs} = item.stages;
	const text = await conflictText(world.store, sidesOf(item));
	const sides = [
		['base', base],
		[a, ours],
		[b, theirs],
	] as const;
	for (const [name, entry] of sides) {
		if (entry !== null) {
			await placeFile(join(folder, name), item.path, await readBlob(world.store, entry.oid));
		}
	}

	await writeFile(join(folder, 'README.txt'), readme(item.path));
	const whole = ours ?? theirs;
	if (text.kind === 'text') {
		await placeFile(join(folder, 'files'), item.path, text.text);
	} else if (whole !== null) {
		await placeFile(join(folder, 'files'), item.path, await readBlob(world.store, whole.oid));
	}
};

/** Returns the sides of a conflict as git is given them, each by its owners' names. */
export const sidesOf = ({a, b, stages}: FileConflictItem): ConflictSides => ({
	...(stages.base === null ? {} : {base: stages.base}),
	...(stages.a === null ? {} : {ours: stages.a}),
	...(stages.b === null ? {} : {theirs: stages.b}),
	labels: {ours: a.join('+'), base: 'before', theirs: b.join('+')},
});

const readme = (path: string): string =>
	[
		`Make files/${path} what it should be, then say that the conflict is done.`,
		'Delete it if the merge should delete it.',
		'Only this one file is taken; anything else in this folder is ignored.',
		'',
	].join('\n');

/**
Returns what the resolution folder holds for the conflicted files, written into the store, and which of them still have markers.

Only those files are taken: whatever else an editor or a tool leaves in the folder was never part of the conflict. One that is not there any more was deleted.

@throws `Failure` when something else than a file is in its place, or a link although neither side has one.
*/
export const seeResolution = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
): Promise<Seen> => {
	const {store} = works;
	if (item.manual.phase !== 'open') {
		return {};
	}

	const folder = join(item.manual.folder, 'files');
	const both = await seeBoth(works, state, item, folder);
	if (both !== undefined) {
		return both;
	}

	const files: ResolvedFile[] = [];
	const marked: string[] = [];
	for (const wanted of wantedOf(item)) {
		const {path} = wanted;
		const taken = await takenFrom(folder, wanted);
		if (taken === undefined) {
			files.push({path, entry: null});
			continue;
		}

		const {content, mode} = taken;
		const oid = await writeBlob(store, content);
		await copyBorrowedAll(store, [oid]);
		files.push({path, entry: {mode, oid}});
		marked.push(...((await isMarked(store, item, content)) ? [path] : []));
	}

	return {marked, files};
};

export type Wanted = {
	readonly path: string;
	/** The modes that it has on the sides, or in the merge. */
	readonly modes: readonly string[];
};

/** Returns whether a file still has the markers of its conflict; what git merges holds no marks of ours. */
export const isMarked = async (
	store: Works['store'],
	item: ItemOf<'conflict'>,
	content: Buffer,
): Promise<boolean> =>
	!isBreakage(item) && hasMarkers(content, await markerSizeOf(store, sidesOf(item)));

/** Returns the files of a conflict's folder that are taken. */
export const wantedOf = (item: ItemOf<'conflict'>): readonly Wanted[] => {
	if (isBreakage(item)) {
		return allPathsOf(item).map(path => ({
			path,
			modes: item.files.filter(file => file.path === path).map(({entry}) => entry.mode),
		}));
	}

	const {path, stages} = item;
	const entries = [stages.a, stages.b];
	return [{path, modes: entries.flatMap(entry => (entry === null ? [] : [entry.mode]))}];
};

/** What lies in the place of a conflicted file. */
export type Taken = {readonly content: Buffer; readonly mode: string};

/** Returns the mode that a file is taken with: that of the sides, where one of them has a file or a link. */
export const modeOf = (modes: Wanted['modes']): string => {
	const own = modes.filter(mode => mode !== submoduleMode);
	return own.find(mode => mode !== symlinkMode) ?? own[0] ?? '100644';
};

/** A link is taken as what it points to, and a file keeps the mode that it has on the sides. */
export const takenFrom = async (
	folder: string,
	{path, modes}: Wanted,
): Promise<Taken | undefined> => {
	if (!(await isBelowFolders(folder, path))) {
		throw notTaken(path, 'is not below real folders');
	}

	const status = await entryOnDisk(folder, path);
	if (status === undefined) {
		return undefined;
	}

	const file = diskPath(folder, path);
	if (status.isSymbolicLink()) {
		if (!modes.includes(symlinkMode)) {
			throw notTaken(path, 'is a symbolic link, which it is on neither side of the conflict');
		}

		return {content: await readlink(file, {encoding: 'buffer'}), mode: symlinkMode};
	}

	if (!status.isFile()) {
		throw notTaken(path, 'is not a file');
	}

	return {content: await readFile(file), mode: modeOf(modes)};
};

const notTaken = (path: string, why: string): Failure =>
	new Failure('refused', `In the resolution folder ${path} ${why}.`, {
		hint: 'put a file with the resolved content there, or nothing to delete it',
	});
