import {mkdir, readFile} from 'node:fs/promises';
import {dirname, posix} from 'node:path';
import {sealed} from '../../git/process/sealed.ts';
import type {Store} from '../../git/store/store.ts';
import {blobSizes, readBlobs, readSmallBlobs} from '../../git/tree/blobs.ts';
import {type Change, changes, newOf} from '../../git/tree/changes.ts';
import type {Entry} from '../../git/tree/entry.ts';
import {
	asBytes,
	entriesOf,
	fromBytes,
	recordsFrom,
	recordText,
	type Sorted,
	seek,
	type TreeEntries,
} from '../../git/tree/listing.ts';
import {packagesIn} from '../../git/tree/packages.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import type {WorkspacePackage} from '../../lib/workspace.ts';
import {modulePaths} from '../source/languages.ts';
import {type CheckerBudget, OverBudget} from './oracle.ts';

/** Source files of a tree, as another tree and the differences from it. */
export type SourceTree = {
	/** Returns the blob id of a source file. */
	readonly get: (path: string) => string | undefined;
	readonly hasFolder: (path: string) => boolean;
	/** Returns the paths that contain a text, and maybe others. */
	readonly paths: (part?: string) => Iterable<string>;
	/** Blob ids that differ from the other tree, by path; `undefined` for a file that this tree lacks. */
	readonly changed: ReadonlyMap<string, string | undefined>;
};

/** Returns a tree with one more file. */
export const withFile = (tree: SourceTree, path: string, oid: string): SourceTree => ({
	...tree,
	changed: new Map([...tree.changed, [path, oid]]),
	get: one => (one === path ? oid : tree.get(one)),
	paths: part => [...tree.paths(part), path],
});

const treeOf = (entries: TreeEntries, changed: SourceTree['changed']): SourceTree => ({
	changed,
	get: path => (changed.has(path) ? changed.get(path) : sourceIn(path, entries.get(path))),
	hasFolder: path =>
		!isVendored(path) &&
		(entries.hasFolder(path) ||
			[...changed].some(([one, oid]) => oid !== undefined && one.startsWith(`${path}/`))),
	*paths(part = '') {
		for (const [path, entry] of entries.containing(part)) {
			if (!changed.has(path) && sourceIn(path, entry) !== undefined) {
				yield path;
			}
		}

		for (const [path, oid] of changed) {
			if (oid !== undefined) {
				yield path;
			}
		}
	},
});

/** Files for TypeScript to check and to read. */
export type WantedCheck = {
	/** All source files of the tree, including unread ones. */
	readonly files: SourceTree;
	/** Files to check; by default all. */
	readonly roots?: ReadonlySet<string>;
	/** Folders of the workspace's packages, by package name. */
	readonly packages: ReadonlyMap<string, string>;
};

/** Source files of a store that were read so far. */
export type Sources = {
	/**
	Returns the files to check in a tree.

	For a small tree all; for a larger one the files that differ in the trees around it, and those that import them. Their imports are read as well, so that TypeScript finds most of them.

	@throws `OverBudget` if it had to read too much.
	*/
	readonly wanted: (tree: string, around: readonly string[]) => Promise<WantedCheck>;
	/** Reads files of a tree and all their imports. */
	readonly readWithImports: (files: SourceTree, paths: Iterable<string>) => Promise<void>;
	/** Contents by blob id; a file that is too large for source is empty. */
	readonly contents: ReadonlyMap<string, string>;
};

/** @param kept File that keeps the import lines for the next process. */
export const openSources = (store: Store, budget: CheckerBudget, kept?: string): Sources => {
	const contents = new Map<string, string>();
	/** Blob ids that the current check needs. */
	let needed = new Set<string>();
	let listed: {readonly tree: string; readonly entries: TreeEntries} | undefined;
	/** Packages of the workspace by tree; one with the manifests of the listed tree has its packages. */
	let packages: ReadonlyMap<string, Promise<WantedCheck['packages']>> = new Map();
	let imports: ImportLines | undefined;
	/** Ambient declarations; those that only other trees have are among their changes. */
	let ambient: readonly string[] | undefined;
	let narrowed: {readonly around: string; readonly roots: ReadonlySet<string>} | undefined;

	const read = async (oids: readonly string[]): Promise<void> => {
		for (const oid of oids) {
			needed.add(oid);
		}

		const unread = [...new Set(oids)].filter(oid => !contents.has(oid));
		const sizes = await blobSizes(store, unread);
		const small = unread.filter(oid => (sizes.get(oid) ?? 0) <= largest);
		const known = [...needed].map(oid => contents.get(oid)?.length ?? sizes.get(oid) ?? 0);
		if (needed.size > budget.files || known.reduce((sum, one) => sum + one, 0) > budget.bytes) {
			throw new OverBudget({files: needed.size});
		}

		for (const oid of unread) {
			contents.set(oid, '');
		}

		for (const [oid, content] of await readBlobs(store, small)) {
			contents.set(oid, content.toString('utf8'));
		}
	};

	const readWithImports = async (files: SourceTree, paths: Iterable<string>): Promise<void> => {
		const met = new Set([...paths].filter(path => files.get(path) !== undefined));
		const oidsOf = (some: Iterable<string>) => [...some].flatMap(path => files.get(path) ?? []);
		await read(oidsOf(met));
		for (const path of met) {
			for (const module of modulesOf(files, path)) {
				const places = modulePaths('typescript', path, {module, name: ''});
				const place = places.find(one => files.get(one) !== undefined);
				if (place !== undefined) {
					met.add(place);
				}
			}

			if (met.size > mostCounted * budget.files) {
				break;
			}
		}

		if (met.size > budget.files) {
			throw new OverBudget({files: met.size});
		}

		await read(oidsOf(met));
	};

	/** Returns the imported modules; an unread file is the same in all trees, so that the import lines have them. */
	const modulesOf = (files: SourceTree, path: string): readonly string[] => {
		const text = contents.get(files.get(path) ?? '');
		return modulesIn(text ?? (imports === undefined ? '' : linesOf(imports, path)));
	};

	const rootsOf = async (
		files: SourceTree,
		[base = '', ...others]: readonly string[],
	): Promise<ReadonlySet<string>> => {
		const differing = await Promise.all(others.map(tree => changes(store, base, tree)));
		const roots = await withOtherCode(
			store,
			differing.flat().filter(({path}) => isSource(path)),
		);

		if (roots.size > budget.files) {
			throw new OverBudget({files: roots.size});
		}

		imports = await importLinesOf(store, base, {known: imports, kept});
		ambient ??= [...files.paths('.d.')].filter(path => /\.d\.[cm]?ts$/.test(path));
		return new Set([
			...roots,
			...importersOf(imports, roots),
			...(ambient.length > mostAmbient ? [] : ambient),
		]);
	};

	const packagesOf = ({changed}: SourceTree, tree: string): Promise<WantedCheck['packages']> => {
		const key = [...changed.keys()].some(path => workspaceFile.test(path)) ? tree : '';
		const found =
			packages.get(key) ??
			packagesIn(store, tree).then(
				all => new Map(all.filter(isLinked).map(({name, folder}) => [name, folder])),
			);
		packages = new Map([...[...packages].filter(([one]) => one === ''), [key, found]]);
		return found;
	};

	/** Returns a tree; only the first one is listed in full. */
	const treeAt = async (tree: string): Promise<SourceTree> => {
		listed ??= {tree, entries: await entriesOf(store, tree)};
		const differing = await changes(store, listed.tree, tree);
		const changed = differing.map(
			change => [change.path, sourceIn(change.path, newOf(change))] as const,
		);
		return treeOf(listed.entries, new Map(changed));
	};

	return {
		contents,
		readWithImports,
		wanted: async (tree, around) => {
			const files = await treeAt(tree);
			const packages = await packagesOf(files, tree);
			needed = new Set();
			if (contents.size > 2 * budget.files) {
				contents.clear();
			}

			const few = firstOf(files.paths(), budget.whole + 1);
			if (few.length <= budget.whole) {
				await read(few.flatMap(path => files.get(path) ?? []));
				return {files, packages};
			}

			const key = around.join();
			narrowed =
				narrowed?.around === key ? narrowed : {around: key, roots: await rootsOf(files, around)};
			await readWithImports(files, narrowed.roots);
			return {files, packages, roots: narrowed.roots};
		},
	};
};

/** Returns whether a file is source; one below `node_modules` is vendored. */
const isSource = (path: string): boolean =>
	/\.([cm]?[jt]sx?|json)$/.test(path) && !isVendored(path);

const isVendored = (path: string): boolean => /(?:^|\/)node_modules(?:\/|$)/.test(path);

/** Returns whether an install links a package below `node_modules`. */
const isLinked = ({of}: WorkspacePackage): boolean => of === 'npm' || of === 'pnpm';

/** Files that name the packages of a workspace of npm, yarn or pnpm. */
const workspaceFile = /(?:^|\/)(?:package\.json|pnpm-workspace\.yaml)$/;

/** Factor of the budget up to which files are counted. */
const mostCounted = 10;

const firstOf = <Item>(items: Iterable<Item>, count: number): readonly Item[] => {
	const first: Item[] = [];
	for (const item of items) {
		first.push(item);
		if (first.length >= count) {
			break;
		}
	}

	return first;
};

/**
Returns the paths of changes to code: changes only to the comments at the top of a file don't change a type.

A licence line for each file of a repository would otherwise have all of it checked.
*/
const withOtherCode = async (
	store: Store,
	differing: readonly Change[],
): Promise<ReadonlySet<string>> => {
	const paths = new Set(differing.map(({path}) => path));
	if (paths.size <= fewFiles) {
		return paths;
	}

	const others = new Set<string>();
	for (let start = 0; start < differing.length; start += atOnce) {
		const some = differing.slice(start, start + atOnce);
		const oids = some.flatMap(change =>
			change.status === 'M' ? [change.old.oid, change.new.oid] : [],
		);
		const blobs = await readSmallBlobs(store, oids, {most: largest, together: mostBytesAtOnce});
		for (const change of some) {
			if (change.status !== 'M' || hasOtherCode(change, blobs)) {
				others.add(change.path);
			}
		}
	}

	return others;
};

/** Number of changed files that are checked without a look at what changed in them. */
const fewFiles = 50;

/** Number of changes whose files are in memory at once, and maximum size of these; a change of further or larger ones counts as one of code. */
const atOnce = 500;
const mostBytesAtOnce = 32 * 2 ** 20;

const hasOtherCode = (
	{path, old, new: now}: Extract<Change, {status: 'M' | 'T'}>,
	blobs: ReadonlyMap<string, Buffer>,
): boolean => {
	const [before, after] = [old, now].map(({oid}) => blobs.get(oid)?.toString());
	return (
		before === undefined ||
		after === undefined ||
		withoutHeader(before, path) !== withoutHeader(after, path)
	);
};

/** Returns a file without the comments at its top, unless the checker heeds one of them. */
const withoutHeader = (text: string, path: string): string => {
	const [header = ''] = /^(?:\s+|\/\/.*|\/\*[\s\S]*?\*\/)*/.exec(text) ?? [];
	const directive = /\.[cm]?jsx?$/.test(path) ? /@|\/\/\// : /@ts-|@jsx|\/\/\//;
	return directive.test(header) ? text : text.slice(header.length);
};

/** Maximum size of a source file; a larger one is data. */
const largest = 2 ** 20;

/** Maximum number of declaration files that are read with every closure; a repository with more is a collection of types. */
const mostAmbient = 500;

/** Returns the blob id of a source file; `undefined` for a link or another kind of file. */
const sourceIn = (path: string, entry: Entry | undefined): string | undefined =>
	entry?.mode.startsWith('100') && isSource(path) ? entry.oid : undefined;

/** Returns the modules that a text of code imports. */
const modulesIn = (text: string): readonly string[] =>
	[...text.matchAll(/\b(?:from|import|require|path)\s*[(=]?\s*(['"])([^'"\n]+)\1/g)].map(
		([, , module = '']) => module,
	);

/** Import lines of a tree, as `git grep -z` prints them, and those of the files that another tree changes. */
type ImportLines = {
	readonly tree: string;
	readonly lines: Sorted;
	readonly base: string;
	/** Text of the files that the base changes; undefined for a deleted one. */
	readonly changed: ReadonlyMap<string, string>;
};

const importLinesOf = async (
	store: Store,
	base: string,
	{known, kept}: {readonly known: ImportLines | undefined; readonly kept: string | undefined},
): Promise<ImportLines> => {
	const before = known ?? (kept === undefined ? undefined : await linesKept(kept));
	const differing =
		before && (await changesOfSources(store, before.tree, base, known === undefined));
	if (before === undefined || differing === undefined || differing.length > mostPaths) {
		const found = await grep(store, base);
		// It is only a cache: without it the next process searches again.
		await (kept && keepLines(kept, base, found).catch(() => {}));
		return linesFrom(base, found);
	}

	const oids = new Map(differing.map(change => [change.path, newOf(change)?.oid ?? '']));
	const blobs = await readBlobs(store, oids.values());
	const changed = new Map([...oids].map(([path, oid]) => [path, `${blobs.get(oid) ?? ''}`]));
	return {...before, base, changed};
};

const linesFrom = (tree: string, bytes: Buffer): ImportLines => ({
	tree,
	lines: {
		text: recordText(bytes),
		end: '\n',
		keyOf: record => record.slice(tree.length + 1, record.indexOf('\0')),
	},
	base: tree,
	changed: new Map(),
});

/** Returns the sources in which two trees differ; `undefined` if the first one may come from another store and isn't here. */
const changesOfSources = async (
	store: Store,
	one: string,
	other: string,
	mayBeGone: boolean,
): Promise<readonly Change[] | undefined> => {
	const found = changes(store, one, other);
	const all = await (mayBeGone ? found.catch(() => undefined) : found);
	return all?.filter(({path}) => isSource(path));
};

/** Writes the lines, after a line with the tree. */
const keepLines = async (file: string, tree: string, found: Buffer): Promise<void> => {
	await mkdir(dirname(file), {recursive: true});
	await writeAtomically(file, Buffer.concat([Buffer.from(`${tree}\n`), found]), {mode: 0o600});
};

const linesKept = async (file: string): Promise<ImportLines | undefined> => {
	const kept = await readFile(file).catch(() => Buffer.alloc(0));
	const [tree] = /^[\da-f]{40,64}(?=\n)/.exec(kept.toString('latin1', 0, 65)) ?? [];
	return tree === undefined ? undefined : linesFrom(tree, kept.subarray(tree.length + 1));
};

/** Returns the import lines of a file, or its text. */
const linesOf = ({lines, changed}: ImportLines, path: string): string => {
	const text = changed.get(path);
	if (text !== undefined) {
		return text;
	}

	const key = asBytes(path);
	const found: string[] = [];
	for (const record of recordsFrom(lines, seek(lines, key))) {
		if (lines.keyOf(record) !== key) {
			break;
		}

		found.push(record.slice(record.indexOf('\0') + 1));
	}

	return found.join('\n');
};

const endings = ['*.ts', '*.tsx', '*.mts', '*.cts', '*.js', '*.jsx', '*.mjs', '*.cjs'];

/** Maximum number of changed files; above it all lines are searched again. */
const mostPaths = 1000;

/** Searches import lines, with one thread, since git reads its objects one by one anyway. */
const grep = async (store: Store, tree: string): Promise<Buffer> => {
	const {stdout} = await sealed(
		store,
		['grep', '--threads=1', '-I', '-z', '-F', ...patterns, tree, '--', ...endings],
		{expect: [0, 1], env: {GIT_LITERAL_PATHSPECS: '0'}},
	);
	return stdout;
};

const patterns = [
	`from '`,
	`from "`,
	`import '`,
	`import "`,
	'import(',
	'require(',
	'<reference path',
].flatMap(pattern => ['-e', pattern]);

/** Yields the lines in which a module may have one of some names: the last part before a quotation mark. */
function* linesNaming(
	{lines, changed}: ImportLines,
	names: ReadonlyMap<string, unknown>,
): Generator<{readonly path: string; readonly line: string}> {
	for (const text of piecesOf(lines)) {
		for (const {1: name = '', index} of text.matchAll(/[/'"]([^/'"\0\n]*)(?=['"])/g)) {
			if (names.has(stemOf(fromBytes(name)))) {
				const record = text.slice(text.lastIndexOf('\n', index) + 1, text.indexOf('\n', index));
				const path = fromBytes(lines.keyOf(record));
				if (!changed.has(path)) {
					yield {path, line: fromBytes(record.slice(record.indexOf('\0') + 1))};
				}
			}
		}
	}

	for (const [path, whole] of changed) {
		for (const line of whole.split('\n')) {
			yield {path, line};
		}
	}
}

/** Yields all records in pieces, so that an expression searches them without a second copy of all. */
function* piecesOf({text, end}: Sorted): Generator<string> {
	for (let from = 0; from < text.length; ) {
		const to = text.indexOf(end, from + pieceLength) + 1 || text.length;
		yield text.slice(from, to);
		from = to;
	}
}

const pieceLength = 2 ** 18;

/** Returns the files that import some of these, also through re-exports. */
const importersOf = (imports: ImportLines, paths: ReadonlySet<string>): ReadonlySet<string> => {
	const importers = new Set<string>();
	for (let targets = byName(paths); targets.size > 0; ) {
		const exporters = new Set<string>();
		for (const {path, line} of linesNaming(imports, targets)) {
			for (const module of modulesIn(line)) {
				const named = targets.get(posix.basename(stemOf(module))) ?? [];
				if (!importers.has(path) && named.some(target => leadsTo(path, module, target))) {
					importers.add(path);
					if (/^\s*(?:export\b|\})/.test(line) || /^index\./.test(posix.basename(path))) {
						exporters.add(path);
					}
				}
			}
		}

		targets = byName(exporters);
	}

	return importers;
};

/** Returns files that were read and import some of these, also through others. */
export const importersAmong = (
	{files, packages}: Pick<WantedCheck, 'files' | 'packages'>,
	contents: ReadonlyMap<string, string>,
	paths: Iterable<string>,
): ReadonlySet<string> => {
	const modules = [...files.paths()].flatMap(path => {
		const text = contents.get(files.get(path) ?? '');
		return text === undefined ? [] : [[path, modulesIn(text)] as const];
	});
	const isIn = (path: string, folder: string | undefined): boolean =>
		folder !== undefined && (folder === '' || path.startsWith(`${folder}/`));
	const met = new Set(paths);
	for (let last = [...met]; last.length > 0; ) {
		const targets = byName(last);
		const isTarget = (path: string, module: string): boolean =>
			(targets.get(posix.basename(stemOf(module))) ?? []).some(one => leadsTo(path, module, one)) ||
			last.some(one => isIn(one, packages.get(packageIn(module))));
		last = modules.flatMap(([path, some]) =>
			!met.has(path) && some.some(module => isTarget(path, module)) ? [path] : [],
		);
		for (const path of last) {
			met.add(path);
		}
	}

	return met;
};

/** Returns the name of the package that a module may belong to. */
export const packageIn = (module: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? '';

/** Returns files by each name with which an import of them can end. */
const byName = (paths: Iterable<string>): ReadonlyMap<string, readonly string[]> => {
	const named = new Map<string, string[]>();
	for (const path of paths) {
		const name = posix.basename(stemOf(path));
		const folder = posix.basename(posix.dirname(path));
		for (const one of name === 'index' ? [name, folder, '.', '..'] : [name]) {
			named.set(one, [...(named.get(one) ?? []), path]);
		}
	}

	return named;
};

/** Returns whether a module is a file, or may be one through an alias of the project. */
const leadsTo = (importer: string, module: string, target: string): boolean => {
	if (module.startsWith('.')) {
		return modulePaths('typescript', importer, {module, name: ''}).includes(target);
	}

	const tail = stemOf(module)
		.split('/')
		.slice(module.startsWith('@') ? 2 : 1)
		.join('/');
	const path = `/${stemOf(target)}`;
	return tail !== '' && (path.endsWith(`/${tail}`) || path.endsWith(`/${tail}/index`));
};

const stemOf = (path: string): string => path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
