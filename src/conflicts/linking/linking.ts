import type {UnreadFile} from '../../events/finding.ts';
import {filesNaming} from '../../git/tree/blobs.ts';
import {type Change, entriesOfChange} from '../../git/tree/changes.ts';
import {type EntriesByPath, entriesOf} from '../../git/tree/listing.ts';
import {packagesIn} from '../../git/tree/packages.ts';
import {defined, once, oncePer} from '../../lib/values.ts';
import type {Comparison, Side} from '../finding.ts';
import {languageOf} from '../source/languages.ts';
import {ecosystemOf} from './packages.ts';
import {makeSources, type SourceFile} from './sources.ts';

/** A source file that a side changed; `before` is absent for an added one, `after` for a deleted one. */
export type SourceChange = {
	readonly path: string;
	readonly before?: SourceFile;
	readonly after?: SourceFile;
};

export type LinkedSide = {
	readonly name: 'a' | 'b';
	readonly commit: string;
	readonly changes: readonly SourceChange[];
	/** Paths that it removed, of any kind. */
	readonly removed: ReadonlySet<string>;
};

/** Names of both sides, and functions that read more from the trees around them. */
export type Linking = {
	readonly comparison: Comparison;
	readonly a: LinkedSide;
	readonly b: LinkedSide;
	/** Returns the requested files that could not be read, or not completely. */
	readonly unread: () => readonly UnreadFile[];
	/** Returns all paths of the merged tree. */
	readonly paths: () => Promise<EntriesByPath>;
	/** Returns a source file of the merged tree. */
	readonly merged: (path: string) => Promise<SourceFile | undefined>;
	/** Returns the source files of a tree that contain each word; `undefined` for a word with too many files. */
	readonly naming: (
		tree: string,
		words: readonly string[],
	) => Promise<ReadonlyMap<string, readonly SourceFile[] | undefined>>;
};

/** A comparison in one direction: `breaker` changed a name, `user` added a use. */
export type Direction = {readonly breaker: LinkedSide; readonly user: LinkedSide};

const sources = makeSources();

/** Ends the thread that parses, which frees the memory of its grammars; the next comparison starts it again. */
export const endParsing = (): Promise<void> => sources.endParsing();

/**
Returns the names of both sides of a merge; `undefined` if there is nothing to link.

It is made once for all rules about names.
*/
export const linkingOf = oncePer((comparison: Comparison) => link(comparison));

/** Returns the files that both sides changed but no rule about names could read, as far as rules requested them. */
export const unreadOf = async (comparison: Comparison): Promise<readonly UnreadFile[]> => {
	const sides = [comparison.a.changes, comparison.b.changes];
	if (sides.some(({length}) => length === 0)) {
		return [];
	}

	const others = sides.flat().filter(change => !saysNames(change));
	const linking = await linkingOf(comparison);
	return [
		...others.map(({path}) => ({path, why: 'no grammar' as const})),
		...(linking?.unread() ?? []),
		...(isTooMuch(comparison)
			? sides.flatMap(changes =>
					changes.filter(isSource).map(({path}) => ({path, why: 'too many files' as const})),
				)
			: []),
	];
};

/** Maximum number of changes by a person or an agent: more come from an old branch, or from generated code. */
const mostChanges = 1500;
const mostFiles = 150;

const link = async (comparison: Comparison): Promise<Linking | undefined> => {
	const {store, merged, signal, a, b} = comparison;
	const changes = [a, b].map(side => side.changes.filter(saysNames));
	if (changes.some(({length}) => length === 0) || isTooMuch(comparison)) {
		return undefined;
	}

	const unread = new Map<string, UnreadFile>();
	const packages = once(() => packagesIn(store, merged));
	const read = async (some: readonly {path: string; oid: string}[]) => {
		const answer = await sources.read(store, some, signal);
		for (const file of answer.unread) {
			unread.set(file.path, file);
		}

		const around = await packages();
		return answer.files.map(file => ({...file, packages: around}));
	};
	const files = await read(changes.flat().filter(isSource).flatMap(blobsOf));
	for (const {path} of files.filter(({facts}) => facts.isBroken)) {
		unread.set(path, {path, why: 'in part'});
	}

	const byKey = new Map(files.map(file => [`${file.oid} ${file.path}`, file]));
	const paths = once(() => entriesOf(store, merged));
	const entries = new Map([[merged, paths]]);
	return {
		comparison,
		a: linkedSide('a', a, byKey),
		b: linkedSide('b', b, byKey),
		unread: () => [...unread.values()],
		paths,
		merged: async path => {
			const entry = (await paths()).get(path);
			return entry === undefined ? undefined : (await read([{path, oid: entry.oid}]))[0];
		},
		naming: async (tree, words) => {
			const found = await filesNaming(store, tree, words);
			const inTree = entries.get(tree) ?? once(() => entriesOf(store, tree));
			entries.set(tree, inTree);
			const all: EntriesByPath = found.size === 0 ? new Map() : await inTree();
			const naming = new Map<string, readonly SourceFile[] | undefined>();
			for (const [word, named] of found) {
				const some = named.filter(path => languageOf(path) !== undefined);
				const blobs = some.map(path => ({path, oid: all.get(path)?.oid ?? ''}));
				naming.set(word, some.length > mostFiles ? undefined : await read(blobs));
			}

			return naming;
		},
	};
};

const isSource = ({path}: Change): boolean => languageOf(path) !== undefined;

/** Returns whether a change can affect names; a manifest lists the packages to import. */
const saysNames = (change: Change): boolean =>
	isSource(change) || ecosystemOf(change.path) !== undefined;

const isTooMuch = ({a, b}: Comparison): boolean =>
	[a, b].some(({changes}) => changes.filter(isSource).length > mostChanges);

const blobsOf = (change: Change): readonly {path: string; oid: string}[] =>
	entriesOfChange(change).flatMap(entry =>
		entry === undefined ? [] : [{path: change.path, oid: entry.oid}],
	);

const linkedSide = (
	name: 'a' | 'b',
	side: Side,
	files: ReadonlyMap<string, SourceFile>,
): LinkedSide => ({
	name,
	commit: side.commit,
	removed: new Set(side.changes.filter(({status}) => status === 'D').map(({path}) => path)),
	changes: side.changes.filter(isSource).map((change): SourceChange => {
		const {path} = change;
		const [before, after] = entriesOfChange(change).map(
			entry => entry && files.get(`${entry.oid} ${path}`),
		);
		return {path, ...defined({before, after})};
	}),
});
