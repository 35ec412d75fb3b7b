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

/** Commits or trees before and after a work. */
export type CommitRange = readonly [from: string, to: string];

/** Options of a view of work: the plan's commands, and a maximum number of changed lines. */
export type Showing = {
	readonly commands: PlanCommands;
	readonly most?: number;
	/** Lines of context around each change; default: git's three. */
	readonly context?: number;
};

/** Maximum number of changed lines to show; people don't read more at once. With context, a diff has at most eight times as many lines. */
const mostLines = 20_000;

/** Maximum number of lines of a diff with more context: as many as with the default context. */
const mostAround = 8 * mostLines;

/**
Lists the changed files of a work, and which ones its diff leaves out because they are too long, or repeat the small change of another file.

A long file doesn't hide others: the surface, that is, files that run by themselves or redirect paths, is always shown first, and then the shortest files.
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
		// If the example isn't shown, this file isn't like a shown one.
		const like = example !== undefined && shown.has(example) ? example.path : undefined;
		return {
			...file,
			shown: shown.has(file),
			...defined({holds: contents.get(file), like}),
		};
	});
};

type Contents = ReadonlyMap<ChangedFile, NonNullable<ListedFile['holds']>>;

/** Returns the content types of files that aren't text, before and after, and the dimensions of images. */
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

const linkMode = '160000';

/** Maximum size of images that are read for their dimensions, in bytes; of others only the size is shown. */
const mostOfImages = 8 * 2 ** 20;

const entriesOf = (changed: ReadonlyMap<string, Change>, path: string) => {
	const change = changed.get(path);
	return change === undefined ? [] : entriesOfChange(change);
};

const idsIn = (
	sides: readonly (readonly [ChangedFile, readonly (string | undefined)[]])[],
): readonly string[] => sides.flatMap(([, oids]) => oids.filter(oid => oid !== undefined));

type WithPatch = readonly [file: ChangedFile, patch: string | undefined];

/** Returns the changed files, with the diff of each unless they are too large to be compared. Few are, so git compares them while their sizes are looked up. */
const filesWithPatches = async (
	store: Store,
	range: CommitRange,
): Promise<readonly WithPatch[]> => {
	const tooLarge = new AbortController();
	const compared = changedFilesWithPatches(store, range, tooLarge.signal);
	compared.catch(() => {});
	if (await areComparable(store, range)) {
		return compared;
	}

	tooLarge.abort();
	return (await changedFiles(store, range, {renames: true})).map(file => [file, undefined]);
};

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

/** Returns whether the changed files are small enough to compare for repeated changes: their diffs contain context. */
const areComparable = async (store: Store, [from, to]: CommitRange): Promise<boolean> => {
	const changed = await changes(store, from, to);
	const files = changed.flatMap(entriesOfChange).filter(entry => entry?.mode.startsWith('100'));
	const sizes = await blobSizes(
		store,
		files.flatMap(entry => entry?.oid ?? []),
	);
	return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0) <= mostCompared;
};

/** In bytes, for the changed files before and after together. */
const mostCompared = 64 * 2 ** 20;

/** Minimum number of files for which repeated changes are looked for. */
const fewestAlike = 10;

/** Returns the number of lines that a file takes, including one for its name. */
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
Returns a unified diff between two commits, without files that are too long or repeat a change: the surface comes first, changes that others repeat come last.

People read the beginning of a long text. Each part is a separate diff, so a file that moves out of the surface shows as removed there.
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

/** Returns a unified diff between two commits for these files only; paths of folders are ignored. */
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
