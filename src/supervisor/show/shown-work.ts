import type {Store} from '../../git/store/store.ts';
import {blobSizes, readBlobs} from '../../git/tree/blobs.ts';
import {
	type ChangedFile,
	changedFiles,
	changedFilesWithPatches,
} from '../../git/tree/changed-files.ts';
import {type Change, changes, entriesOfChange} from '../../git/tree/changes.ts';
import {entriesAt} from '../../git/tree/entry.ts';
import {plainPatch, treeOf, treesOf} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';
import {imageSize} from '../../lib/image-size.ts';
import {bytesText} from '../../lib/text/sanitize.ts';
import {defined} from '../../lib/values.ts';
import type {ListedFile} from '../../rules/listed-file.ts';
import {changeIn} from '../../rules/repeated-change.ts';
import {type PlanCommands, surfacings} from '../../rules/runs-by-itself.ts';
import {surfacingsOf} from '../worktree/escaping-links.ts';

/** Commits or trees between which a work lies. */
export type CommitRange = readonly [from: string, to: string];

/** How a work is shown: by the commands of its plan, and with no more changed lines than these. */
export type Showing = {
	readonly commands: PlanCommands;
	readonly most?: number;
	/** Lines around each change, in place of git's three. */
	readonly context?: number;
};

/** Most changed lines of a work that are shown; nobody reads more in one piece. With what stands around each of them a diff has at most eight times as many. */
const mostLines = 20_000;

/** Most lines of a diff with more around its changes: as many as there may be without. */
const mostAround = 8 * mostLines;

/**
Lists the changed files of a work, with those that its diff leaves out since they are too long, or since they repeat the small change of another one.

A long file hides no other: what runs by itself or leads elsewhere is shown before all else and always, and of the rest the shortest files are.
*/
export const listFiles = async (
	store: Store,
	range: CommitRange,
	{commands, most = mostLines}: Showing,
): Promise<readonly ListedFile[]> => {
	const changed = await filesWithPatches(store, range);
	const files = changed.map(([file]) => file);
	const surface = new Set(files.filter(file => isSurface(file, commands)));
	const likes = repeatsIn(changed.filter(([file]) => !surface.has(file)));
	const rest = files.filter(file => !surface.has(file) && !likes.has(file));
	const shown = new Set<ChangedFile>();
	let left = most;
	for (const file of [...surface, ...rest.toSorted((one, other) => room(one) - room(other))]) {
		if (room(file) <= left) {
			shown.add(file);
			left -= room(file);
		}
	}

	const contents = await contentsOf(store, range, files);
	return files.map(file => {
		const example = likes.get(file);
		// Without its example nothing on the screen shows the change.
		const like = example !== undefined && shown.has(example) ? example.path : undefined;
		return {
			...file,
			shown: shown.has(file),
			...defined({holds: contents.get(file), like}),
		};
	});
};

type Contents = ReadonlyMap<ChangedFile, NonNullable<ListedFile['holds']>>;

/** Returns what files that are no text hold before and after: of images how large they are as well. */
const contentsOf = async (
	store: Store,
	[from, to]: CommitRange,
	files: readonly ChangedFile[],
): Promise<Contents> => {
	const noText = files.filter(({added, modes}) => added === null && !modes.includes(linkMode));
	if (noText.length === 0) {
		return new Map();
	}

	const changed = new Map((await changes(store, from, to)).map(one => [one.path, one]));
	const sides = noText.map(file => {
		const [before] = entriesOf(changed, file.from ?? file.path);
		const [, after] = entriesOf(changed, file.path);
		return [file, [before?.oid, after?.oid]] as const;
	});
	const sizes = await blobSizes(store, idsIn(sides));
	const images = sides.filter(([{path}]) => /\.(?:gif|jpe?g|png|webp)$/i.test(path));
	let left = mostOfImages;
	const fitting = [...new Set(idsIn(images))].filter(oid => {
		const bytes = sizes.get(oid);
		const fits = bytes !== undefined && bytes <= left;
		left -= fits ? bytes : 0;
		return fits;
	});
	const read = await readBlobs(store, fitting);
	const held = (oid: string | undefined): string | null => {
		const bytes = sizes.get(oid ?? '');
		const image = imageSize(read.get(oid ?? '') ?? Buffer.alloc(0));
		const size = image && `${image.format} ${image.width}×${image.height}, `;
		return bytes === undefined ? null : `${size ?? ''}${bytesText(bytes)}`;
	};
	return new Map(sides.map(([file, [before, after]]) => [file, [held(before), held(after)]]));
};

/** The mode of a submodule. */
const linkMode = '160000';

/** How much of images is read whole for their heads, in bytes; of others only the length is told. */
const mostOfImages = 8 * 2 ** 20;

const entriesOf = (changed: ReadonlyMap<string, Change>, path: string) => {
	const change = changed.get(path);
	return change === undefined ? [] : entriesOfChange(change);
};

const idsIn = (
	sides: readonly (readonly [ChangedFile, readonly (string | undefined)[]])[],
): readonly string[] => sides.flatMap(([, oids]) => oids.filter(oid => oid !== undefined));

type WithPatch = readonly [file: ChangedFile, patch: string | undefined];

/** Returns the changed files, with the diff of each where they are worth comparing. */
const filesWithPatches = async (store: Store, range: CommitRange): Promise<readonly WithPatch[]> =>
	(await isWorthComparing(store, range))
		? changedFilesWithPatches(store, range)
		: (await changedFiles(store, range, {renames: true})).map(file => [file, undefined]);

/** Returns the files that repeat the small change of another one, with that one. */
const repeatsIn = (changed: readonly WithPatch[]): ReadonlyMap<ChangedFile, ChangedFile> => {
	const compared = changed.flatMap(([file, patch]) => {
		const {status, modes} = file;
		const isPlain = status === 'M' && modes[0] === modes[1];
		const change = isPlain && patch !== undefined ? changeIn(patch) : undefined;
		return change === undefined ? [] : [{file, change}];
	});
	return new Map(
		[...Map.groupBy(compared, ({change}) => change).values()]
			.filter(alike => alike.length >= fewestAlike)
			.flatMap(([first, ...others]) =>
				others.flatMap(({file}) => (first === undefined ? [] : [[file, first.file] as const])),
			),
	);
};

/** Git prints what differs with what stands around it: so large files are not compared. */
const isWorthComparing = async (store: Store, [from, to]: CommitRange): Promise<boolean> => {
	const changed = await changes(store, from, to);
	if (changed.length < fewestAlike) {
		return false;
	}

	const files = changed.flatMap(entriesOfChange).filter(entry => entry?.mode.startsWith('100'));
	const sizes = await blobSizes(
		store,
		files.flatMap(entry => entry?.oid ?? []),
	);
	return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0) <= mostCompared;
};

/** In bytes, of the changed files before and after together. */
const mostCompared = 64 * 2 ** 20;

/** A change in fewer files is shown in each. */
const fewestAlike = 10;

/** Its name takes a line as well. */
const room = ({added, removed}: ChangedFile): number => (added ?? 0) + (removed ?? 0) + 1;

const isSurface = ({path, from, modes}: ChangedFile, commands: PlanCommands): boolean => {
	const [before, after] = modes.map(mode => (mode === noMode ? undefined : mode));
	const change = from === undefined ? {path, before, after} : {path, before: undefined, after};
	return (
		surfacings(change, commands).length > 0 ||
		(from !== undefined && surfacings({path: from, before, after: undefined}, commands).length > 0)
	);
};

const noMode = '000000';

/**
Returns what leads from one commit to another as a unified diff, without the files that are too long or repeat a change: what runs by itself or leads elsewhere comes before all else, a change that others repeat behind all else.

People read the beginning of what is long. Each part is a diff of its own, so a move out of the surface is told as what it is: something of the surface goes.
*/
export const shownPatch = async (
	store: Store,
	range: CommitRange,
	showing: Showing,
): Promise<string> => {
	const [changed, listed] = await Promise.all([
		changes(store, ...range),
		listFiles(store, range, showing),
	]);
	const left = new Set(
		listed.filter(({shown}) => !shown).flatMap(({path, from = path}) => [path, from]),
	);
	const examples = new Set(listed.flatMap(({like}) => like ?? []));
	const rankOf = (change: Change): number =>
		surfacingsOf(change, showing.commands).length > 0 ? 0 : examples.has(change.path) ? 2 : 1;
	const kept = changed.filter(({path}) => !left.has(path));
	const around = defined({context: showing.context});
	const patches = [0, 1, 2].map(async rank => {
		const part = kept.filter(change => rankOf(change) === rank);
		if (part.length === 0 || part.length === changed.length) {
			return part.length === 0 ? '' : plainPatch(store, ...range, around);
		}

		const {before, after} = await treesOf(store, part);
		return plainPatch(store, before, after, around);
	});
	const text = (await Promise.all(patches)).join('');
	if (showing.context !== undefined && text.split('\n', mostAround + 1).length > mostAround) {
		throw new Failure(
			'refused',
			`With so many lines around its changes the diff has more than ${mostAround} lines; look at one file alone, or at fewer lines around.`,
		);
	}

	return text;
};

/** Returns what leads from one commit to another in the files of these paths alone, as a unified diff; the path of a folder stands for none. */
export const patchAt = async (
	store: Store,
	range: CommitRange,
	paths: readonly string[],
	context?: number,
): Promise<string> => {
	const treeIn = async (whole: string) =>
		treeOf(store, [...(await entriesAt(store, whole, paths))]);
	return plainPatch(store, await treeIn(range[0]), await treeIn(range[1]), defined({context}));
};
