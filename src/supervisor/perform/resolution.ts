import {
	chmod,
	mkdir,
	readdir,
	readFile,
	readlink,
	rename,
	rm,
	stat,
	writeFile,
} from 'node:fs/promises';
import {basename, dirname, join, relative} from 'node:path';
import {target} from '../../conflicts/input.ts';
import type {Body} from '../../events/event.ts';
import {
	type ConflictSides,
	conflictText,
	hasMarkers,
	markerSizeOf,
} from '../../git/merge/conflict-text.ts';
import {copyBorrowedAll} from '../../git/store/copy-borrowed.ts';
import {worktreePath} from '../../git/store/worktree-path.ts';
import {readBlob, readBlobs, writeBlob} from '../../git/tree/blobs.ts';
import {diskPath, entryOnDisk, isBelowFolders} from '../../git/tree/disk-path.ts';
import {
	type Entry,
	entriesBelow,
	executableMode,
	submoduleMode,
	symlinkMode,
} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import {isThere} from '../../lib/files/reading.ts';
import {decodePath} from '../../lib/text/byte-path.ts';
import {handMadeIn, type ItemOf, type ManualFolder} from '../../state/item.ts';
import {
	allPathsOf,
	type BreakageItem,
	type FileConflictItem,
	fileFolderClashIn,
	isBreakage,
} from '../../state/items/conflict/breakage.ts';
import type {Seen} from '../../state/items/kind.ts';
import {evidenceText} from '../../state/merge/attribution-text.ts';
import type {ResolvedFile} from '../../state/merge/merge.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {putUnder} from '../merging/starting-commit.ts';
import {workOf} from '../show/show-side.ts';
import {requireSession, type Works, type World} from '../world.ts';

/**
Creates the folder in which a person resolves a conflict by hand.

It contains the conflicted file with diff3 markers (`files/`) and each side's full version beside it (`base/`, and one folder named after each side), for differences that markers can't show. A `README.txt` says which file will be taken.
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
	const files = basename(worktreePath(folder, 'files'));
	// Never overwrite a person's work in the folder.
	if (!(await isThere(folder))) {
		const making = `${folder}.making`;
		await rm(making, {recursive: true, force: true});
		await fill(world, state, {folder: making, files}, item);
		await rename(making, folder);
	}

	return [{kind: 'resolution.opened', conflict: id, folder, files}];
};

/** A folder under construction, and the folder inside it with the files that a person edits. */
type Made = Omit<ManualFolder, 'phase'> & {readonly files: string};

const fill = async (
	world: World,
	state: State,
	made: Made,
	item: ItemOf<'conflict'>,
): Promise<void> => {
	if (isBreakage(item)) {
		return fillWithMerged(world, made, item);
	}

	const {folder, files} = made;
	if (await fillWithBoth(world, state, made, item)) {
		return;
	}

	const [a, b] = [item.a.join('+'), item.b.join('+')];
	const given = sidesOf(item);
	const {base = null, ours = null, theirs = null} = given;
	const text = await conflictText(world.store, given);
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

	await writeFile(join(folder, 'README.txt'), readme(`${files}/${item.path}`));
	const whole = ours ?? theirs;
	if (text.kind === 'text') {
		await placeFile(handMadeIn(made), item.path, text.text);
	} else if (whole !== null) {
		await placeFile(handMadeIn(made), item.path, await readBlob(world.store, whole.oid));
	}
};

/**
Writes a file at a repository path into a folder of ours.

@throws `Failure` of kind `refused` when the path leads out of that folder
*/
export const placeFile = async (
	folder: string,
	path: string,
	content: Uint8Array,
): Promise<void> => {
	if (relative(folder, join(folder, path)).startsWith('..')) {
		throw new Failure('refused', `${path} is not a path inside the repository.`);
	}

	await mkdir(diskPath(folder, dirname(path)), {recursive: true});
	await writeFile(diskPath(folder, path), content);
};

/** Returns the sides of a conflict as inputs for git's merge, named after their owners; if snapshots of one side are already applied, the rest of it. */
export const sidesOf = ({
	a,
	b,
	replayed,
	stages,
}: Pick<FileConflictItem, 'a' | 'b' | 'stages' | 'replayed'>): ConflictSides => {
	const {base, a: ours, b: theirs} = replayed?.rest ?? stages;
	return {
		...(base === null ? {} : {base}),
		...(ours === null ? {} : {ours}),
		...(theirs === null ? {} : {theirs}),
		labels: {ours: a.join('+'), base: 'before', theirs: b.join('+')},
	};
};

const readme = (path: string): string =>
	[
		`Edit ${path} until it is right, then answer the conflict with "done".`,
		'Delete it if the merge should delete it.',
		'Only this one file is taken; anything else in this folder is ignored.',
		'',
	].join('\n');

/**
Stores the conflicted files of the resolution folder, and returns them and the paths that still have markers.

Only those files are taken: other files that an editor or a tool left in the folder aren't part of the conflict. A missing file counts as deleted.

@throws `Failure` when an entry is neither a file nor a link, or is a link although neither side has one
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

	const folder = handMadeIn(item.manual);
	const both = await seeBoth(works, state, item, folder);
	if (both !== undefined) {
		return both;
	}

	return seeFiles(store, item, async wanted => {
		const taken = await takenFrom(folder, wanted);
		if (taken === undefined) {
			return undefined;
		}

		const oid = await writeBlob(store, taken.content);
		await copyBorrowedAll(store, [oid]);
		return {mode: taken.mode, oid};
	});
};

/** Returns the resolved files of a conflict, and the paths that still have its markers. A breakage has none, since git merged its files. */
export const seeFiles = async (
	store: Works['store'],
	item: ItemOf<'conflict'>,
	find: (wanted: WantedFile) => Promise<Entry | undefined>,
): Promise<Seen> => {
	const markerSize = isBreakage(item) ? undefined : await markerSizeOf(store, sidesOf(item));
	const files: ResolvedFile[] = [];
	const marked: string[] = [];
	for (const wanted of wantedOf(item)) {
		const {path} = wanted;
		const entry = (await find(wanted)) ?? null;
		files.push({path, entry});
		if (markerSize !== undefined && entry !== null && entry.mode !== submoduleMode) {
			marked.push(...(hasMarkers(await readBlob(store, entry.oid), markerSize) ? [path] : []));
		}
	}

	return {marked, files};
};

export type WantedFile = {
	readonly path: string;
	/** Modes of the file on both sides, or in the merge. */
	readonly modes: readonly string[];
};

/** Returns the files that are taken from a conflict's folder. */
export const wantedOf = (item: ItemOf<'conflict'>): readonly WantedFile[] => {
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

/** Content and mode of a file in the folder. */
type Taken = {readonly content: Buffer; readonly mode: string};

/** Returns the mode for a resolved file: that of a side which has a file or a link. */
export const modeOf = (modes: WantedFile['modes']): string => {
	const own = modes.filter(mode => mode !== submoduleMode);
	return own.find(mode => mode !== symlinkMode) ?? own[0] ?? '100644';
};

/** Reads a resolved file. Of a link it reads the target path, and a file keeps the mode that it has on the sides. */
export const takenFrom = async (
	folder: string,
	{path, modes}: WantedFile,
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

/** Fills the folder for a breakage with the files that show it, as git merges them, without markers. */
const fillWithMerged = async (
	{store}: Pick<World, 'store'>,
	made: Made,
	item: BreakageItem,
): Promise<void> => {
	await mkdir(handMadeIn(made), {recursive: true});
	await writeFile(join(made.folder, 'README.txt'), breakageReadme(item, made));
	for (const {path, entry} of item.files) {
		await placeFile(handMadeIn(made), path, await readBlob(store, entry.oid));
	}
};

const breakageReadme = (item: BreakageItem, {files}: Made): string =>
	[
		item.summary,
		...(['a', 'b'] as const).map(
			side => `${item[side].join('+')}: ${evidenceText(item.evidence, side)}`,
		),
		...(item.confirmed === undefined ? [] : [`${item.confirmed.by}: ${item.confirmed.text}`]),
		'',
		`The folder ${files} holds git’s merge of both. Edit it until it is right, then answer the conflict with "done".`,
		`Only ${allPathsOf(item).join(' and ')} can be taken from it; a file that you delete there is deleted by the merge.`,
		'',
	].join('\n');

/** A file of one side, and the folder or link of the other side at the same path. */
type FileAndFolder = {
	readonly path: string;
	/** Temporary name of the file, until a person renames one of them. */
	readonly beside: string;
	readonly file: Entry;
	/** Entries of the folder, or a link. */
	readonly other: ReadonlyMap<string, Entry>;
	readonly owners: {readonly file: string; readonly other: string};
};

/** Returns the file and the folder that can't both keep their path; `undefined` for any other conflict. */
const fileAndFolder = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
): Promise<FileAndFolder | undefined> => {
	const clash = fileFolderClashIn(item);
	const file = clash && !isBreakage(item) ? item.stages[clash.file] : null;
	if (clash === undefined || file === null) {
		return undefined;
	}

	const {path} = clash;
	const held = await entriesBelow(works.store, await workOfAll(works, state, item[clash.other]), [
		path,
	]);
	const other = new Map([...held].filter(([, {mode}]) => mode !== submoduleMode));
	const owners = {file: item[clash.file].join('+'), other: item[clash.other].join('+')};
	return {path, beside: `${path}~${owners.file}`, file, other, owners};
};

/** Returns a commit with the work of all owners of a side; several of them may have changed the same file. */
const workOfAll = (works: Works, state: State, owners: readonly string[]): Promise<string> => {
	const [[base = ''] = []] = owners.flatMap(owner => workOf(state, owner));
	const tip = owners.includes(target) ? requireSession(state).tip : base;
	return putUnder(works, state, owners, tip);
};

/**
Fills the folder in which a person renames a file or the folder in its place; returns whether the conflict is of that kind.

Both are in `files/`, the file under a temporary name. All files there are taken in the end.
*/
const fillWithBoth = async (
	works: Works,
	state: State,
	made: Made,
	item: ItemOf<'conflict'>,
): Promise<boolean> => {
	const both = await fileAndFolder(works, state, item);
	if (both === undefined) {
		return false;
	}

	const placed = new Map([...both.other, [both.beside, both.file] as const]);
	const contents = await readBlobs(
		works.store,
		[...placed.values()].map(({oid}) => oid),
	);
	const files = handMadeIn(made);
	for (const [path, {mode, oid}] of placed) {
		await placeFile(files, path, contents.get(oid) ?? Buffer.alloc(0));
		await (mode === executableMode ? chmod(diskPath(files, path), 0o755) : undefined);
	}

	await writeFile(join(made.folder, 'README.txt'), folderReadme(both, made));
	return true;
};

const folderReadme = ({path, beside, owners}: FileAndFolder, {files}: Made): string =>
	[
		`${owners.file} has a file at ${path}, where ${owners.other} has a folder or a link.`,
		`In ${files} are the files of ${owners.other}, and the file of ${owners.file} as ${beside}.`,
		'Rename the file, or move it into the folder; or move the folder or link out of its way and give the file its name back.',
		`The merge deletes what you delete. Everything in ${files} is taken once you answer the conflict with "done".`,
		'',
	].join('\n');

/**
Stores the files with which a person replaced the file and the folder in its place; returns `undefined` for any other conflict.

@throws `Failure` of kind `refused` while the file has its temporary name, or when an entry can't be taken
*/
const seeBoth = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
	folder: string,
): Promise<Seen | undefined> => {
	const both = await fileAndFolder(works, state, item);
	if (both === undefined) {
		return undefined;
	}

	const found = await filesBelow(folder);
	if (found.includes(both.beside)) {
		throw folderNotTaken(
			`${both.beside} still has its temporary name.`,
			`rename or delete it in ${folder}; what you leave there is taken`,
		);
	}

	const files = new Map<string, ResolvedFile>(
		[both.path, ...both.other.keys()].map(path => [path, {path, entry: null}]),
	);
	for (const path of found) {
		files.set(path, {path, entry: await entryFrom(works, folder, path, both)});
	}

	const taken = [...files.values()];
	await copyBorrowedAll(
		works.store,
		taken.flatMap(({entry}) => entry?.oid ?? []),
	);
	return {marked: [], files: taken};
};

/** Returns the tree entry of a file. A moved file keeps its mode, and an edited one has the mode of the entry at its path; a moved and edited one is executable if it is on this disk. */
const entryFrom = async (
	{store}: Works,
	folder: string,
	path: string,
	{file, other}: FileAndFolder,
): Promise<Entry> => {
	const whole = diskPath(folder, path);
	const oid = await writeBlob(store, await readFile(whole));
	const known = [file, ...other.values()].find(entry => entry.oid === oid) ?? other.get(path);
	const canRun = ((await stat(whole)).mode & 0o100) !== 0;
	return {mode: known?.mode ?? (canRun ? executableMode : '100644'), oid};
};

const filesBelow = async (folder: string): Promise<readonly string[]> => {
	const found: string[] = [];
	const look = async (above: string): Promise<void> => {
		const whole = above === '' ? folder : diskPath(folder, above);
		for (const entry of await readdir(whole, {withFileTypes: true, encoding: 'buffer'})) {
			const name = decodePath(entry.name);
			const path = above === '' ? name : `${above}/${name}`;
			if (name.toLowerCase() === '.git' || !(entry.isFile() || entry.isDirectory())) {
				throw folderNotTaken(`${path} is neither a file nor a folder that can be taken.`);
			}

			await (entry.isDirectory() ? look(path) : found.push(path));
		}
	};
	await look('');
	return found.toSorted();
};

const folderNotTaken = (what: string, hint = 'leave plain files and folders there'): Failure =>
	new Failure('refused', `In the resolution folder ${what}`, {hint});
