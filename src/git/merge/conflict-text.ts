import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {temporaryFolder} from '../../lib/files/folders.ts';
import type {GitResult} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';
import {contentsOf} from '../tree/blobs.ts';
import {type Entry, entriesAt, submoduleMode} from '../tree/entry.ts';

/** The three stages of a conflicted path; an absent one counts as an empty file. */
export type ConflictSides = {
	readonly base?: Entry;
	readonly ours?: Entry;
	readonly theirs?: Entry;
	/** Names after the conflict markers. */
	readonly labels: {readonly base: string; readonly ours: string; readonly theirs: string};
};

/** A merged text with conflict markers, or a note that a side is binary. */
export type ConflictText =
	| {
			readonly kind: 'text';
			readonly text: Buffer;
			readonly conflicts: number;
			/** Length of a conflict marker. */
			readonly markerSize: number;
			readonly contents: Readonly<Record<SideName, Buffer>>;
	  }
	| {readonly kind: 'binary'};

/** Merges three contents by `git merge-file --diff3`. */
export const conflictText = async (store: Store, sides: ConflictSides): Promise<ConflictText> => {
	const contents = await sideContents(store, sides);
	if (Object.values(contents).some(isBinary)) {
		return {kind: 'binary'};
	}

	const markerSize = markerSizeFor(Object.values(contents));
	await using folder = await temporaryFolder(join(store.gitDir, 'merge-'));
	await Promise.all(sideNames.map(name => writeFile(join(folder.path, name), contents[name])));
	const files = sideNames.map(name => join(folder.path, name));
	const merged = await mergeFiles(store, files, {labels: sides.labels, markerSize});
	return {kind: 'text', text: merged.stdout, conflicts: merged.code, markerSize, contents};
};

/** Returns the length of the markers that `conflictText` writes for these stages. */
export const markerSizeOf = async (
	store: Store,
	sides: Omit<ConflictSides, 'labels'>,
): Promise<number> => markerSizeFor(Object.values(await sideContents(store, sides)));

/** Returns whether a text still contains a conflict marker of that length. */
export const hasMarkers = (text: Buffer, markerSize: number): boolean => {
	const signs = ['<', '\\|', '>'].map(sign => `${sign}{${markerSize}}`).join('|');
	return new RegExp(`^(?:${signs})(?: |\\r?$)`, 'm').test(text.toString('latin1'));
};

/** Returns notes for a person about the files of a tree that still contain markers of `conflictText`. */
export const markersLeft = async (
	store: Store,
	tree: string,
	paths: readonly string[],
): Promise<readonly string[]> => {
	const entries = await entriesAt(store, tree, paths);
	const contents = await contentsOf(
		store,
		new Map(
			[...entries].flatMap(([path, {mode, oid}]) => (mode === submoduleMode ? [] : [[path, oid]])),
		),
	);
	const marked = [...contents].filter(([, text]) => anyMarkers.test(text.toString('latin1')));
	return marked.length === 0
		? []
		: [`Conflict markers remain in ${marked.map(([path]) => path).join(', ')}.`];
};

/** In the order of the arguments of `git merge-file`. */
const sideNames = ['ours', 'base', 'theirs'] as const;

type SideName = (typeof sideNames)[number];

const sideContents = async (
	store: Store,
	sides: Omit<ConflictSides, 'labels'>,
): Promise<Readonly<Record<SideName, Buffer>>> => {
	const oids = sideNames.flatMap(name => {
		const entry = sides[name];
		return entry === undefined || entry.mode === submoduleMode ? [] : [[name, entry.oid] as const];
	});
	const contents = await contentsOf(store, new Map(oids));
	const contentOf = (name: SideName) => contents.get(name) ?? Buffer.alloc(0);
	return {ours: contentOf('ours'), base: contentOf('base'), theirs: contentOf('theirs')};
};

/** Returns whether a file is binary by git's own rule: a NUL byte near the start. */
const isBinary = (content: Buffer): boolean => content.subarray(0, 8000).includes(0);

/** The exit code counts the conflicts, up to 127. */
const conflictCounts = [...Array(128).keys()];

const mergeFiles = async (
	store: Store,
	files: readonly string[],
	{labels, markerSize}: {labels: ConflictSides['labels']; markerSize: number},
): Promise<GitResult> => {
	const names = sideNames.flatMap(name => ['-L', labels[name]]);
	const options = ['--stdout', '--diff3', `--marker-size=${markerSize}`];
	const args = ['merge-file', ...options, ...names, ...files];
	return sealed(store, args, {expect: conflictCounts});
};

/** Returns a marker length that no line begins with: 15, or one more than the longest run of a marker's character. */
const markerSizeFor = (contents: readonly Buffer[]): number =>
	contents.reduce((size, content) => Math.max(size, longestRun(content) + 1), usualSize);

/** Longer than most underlines of headings. */
const usualSize = 15;

/** Matches markers of the usual length, or of a longer one if a side has such lines. */
const anyMarkers = new RegExp(
	`^(?:<{${usualSize},}|\\|{${usualSize},}|>{${usualSize},})(?: |\\r?$)`,
	'm',
);

const markBytes: readonly number[] = [...'<|=>'].map(sign => sign.charCodeAt(0));
const newline = 0x0a;

const longestRun = (content: Buffer): number => {
	let longest = 0;
	for (let start = 0; start < content.length; start = nextLine(content, start)) {
		const sign = content[start] ?? 0;
		if (markBytes.includes(sign)) {
			let end = start;
			while (content[end] === sign) {
				end += 1;
			}

			longest = Math.max(longest, end - start);
		}
	}

	return longest;
};

const nextLine = (content: Buffer, start: number): number => {
	const end = content.indexOf(newline, start);
	return end === -1 ? content.length : end + 1;
};
