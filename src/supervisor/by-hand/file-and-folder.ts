import {chmod, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {target} from '../../conflicts/input.ts';
import {copyBorrowedAll} from '../../git/store/copy-borrowed.ts';
import {readBlobs, writeBlob} from '../../git/tree/blobs.ts';
import {diskPath} from '../../git/tree/disk-path.ts';
import {type Entry, entriesBelow, executableMode, submoduleMode} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import {decodePath} from '../../lib/text/byte-path.ts';
import type {ItemOf} from '../../state/item.ts';
import {isBreakage} from '../../state/items/conflict/breakage.ts';
import {fileFolderClashIn} from '../../state/items/conflict/paths.ts';
import type {Seen} from '../../state/items/kind.ts';
import type {ResolvedFile} from '../../state/merge/merge.ts';
import type {State} from '../../state/state.ts';
import {putUnder} from '../merging/starting-commit.ts';
import {placeFile} from '../perform/place-file.ts';
import {requireSession} from '../require-session.ts';
import {workOf} from '../show/show-side.ts';
import type {Works} from '../world.ts';

/** A file of one side and what the other one has in its place. */
type FileAndFolder = {
	/** Where both are. */
	readonly path: string;
	/** What the file is called until a person gives one of them another name. */
	readonly beside: string;
	readonly file: Entry;
	/** A folder with all that is in it, or a link. */
	readonly other: ReadonlyMap<string, Entry>;
	readonly owners: {readonly file: string; readonly other: string};
};

/** Returns the two that can't both be where they are; nothing for any other conflict. */
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

/** Returns a commit with the work of all owners of a side; what they changed there may be the same file. */
const workOfAll = (works: Works, state: State, owners: readonly string[]): Promise<string> => {
	const [[base = ''] = []] = owners.flatMap(owner => workOf(state, owner));
	const tip = owners.includes(target) ? requireSession(state).tip : base;
	return putUnder(works, state, owners, tip);
};

/**
Fills the folder in which a person gives a file, or what stands in its way, another name; returns whether the conflict is of that kind.

Both lie in `files/`, the file under a name that it can't keep, and all that lies there in the end is taken.
*/
export const fillWithBoth = async (
	works: Works,
	state: State,
	folder: string,
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
	const files = join(folder, 'files');
	for (const [path, {mode, oid}] of placed) {
		await placeFile(files, path, contents.get(oid) ?? Buffer.alloc(0));
		await (mode === executableMode ? chmod(diskPath(files, path), 0o755) : undefined);
	}

	await writeFile(join(folder, 'README.txt'), readme(both));
	return true;
};

const readme = ({path, beside, owners}: FileAndFolder): string =>
	[
		`${owners.file} has a file at ${path}, where ${owners.other} has a folder or a link.`,
		`Below "files" lies what ${owners.other} has there, and the file as ${beside}.`,
		'Give the file a name of its own, or move it into the folder; or move what is in its way and give it its name back.',
		'What you delete is deleted. All that lies below "files" is taken once you say that the conflict is done.',
		'',
	].join('\n');

/**
Returns what the folder holds in place of a file and what stood in its way, written into the store; nothing for any other conflict.

@throws `Failure` of kind `refused` while the file has the name that we gave it, or where something lies there that can't be taken.
*/
export const seeBoth = async (
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
		throw notTaken(
			`${both.beside} still has the name that we gave it.`,
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

/** A file that was only moved keeps its mode, and one that was changed that of what stood at its path; one that was moved and changed can be run if it can be here. */
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
				throw notTaken(`${path} is neither a file nor a folder that can be taken.`);
			}

			await (entry.isDirectory() ? look(path) : found.push(path));
		}
	};
	await look('');
	return found.toSorted();
};

const notTaken = (what: string, hint = 'leave plain files and folders there'): Failure =>
	new Failure('refused', `In the resolution folder ${what}`, {hint});
