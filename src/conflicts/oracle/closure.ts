import {posix} from 'node:path';
import {sealed} from '../../git/process/sealed.ts';
import type {Store} from '../../git/store/store.ts';
import {blobSizes, readBlobs} from '../../git/tree/blobs.ts';
import {changes, newOf} from '../../git/tree/changes.ts';
import {type Entry, entriesOf} from '../../git/tree/entry.ts';
import {modulePaths} from '../linking/modules.ts';
import {type Budget, OverBudget} from './oracle.ts';

/** The source files of a tree by path, with their blob ids. */
export type SourceTree = ReadonlyMap<string, string>;

/** What TypeScript is to check of a tree, and may read. */
export type Wanted = {
	/** All source files of the tree, also those that nobody has read. */
	readonly files: SourceTree;
	/** The files to check; without them all. */
	readonly roots?: ReadonlySet<string>;
};

/** The source files of a store, as far as they were read. */
export type Sources = {
	/**
	Returns what to check of a tree.

	All of a small one; of a larger one the files in which the trees around it differ, and those that import them. The files that they import are read as well, so that TypeScript finds most of them.

	@throws `OverBudget` when too much would have to be read.
	*/
	readonly wanted: (tree: string, around: readonly string[]) => Promise<Wanted>;
	/** Reads files of a tree and all that they import. */
	readonly readWithImports: (files: SourceTree, paths: Iterable<string>) => Promise<void>;
	/** Contents by blob id; what is too large to be source is empty. */
	readonly contents: ReadonlyMap<string, string>;
};

export const openSources = (store: Store, budget: Budget): Sources => {
	const contents = new Map<string, string>();
	/** What the check under way needs, by blob id. */
	let needed = new Set<string>();
	let listed: Listed | undefined;
	let imports: ImportLines | undefined;
	let narrowed: {readonly around: string; readonly roots: ReadonlySet<string>} | undefined;

	const read = async (oids: readonly string[]): Promise<void> => {
		for (const oid of oids) {
			needed.add(oid);
		}

		const unread = [...new Set(oids)].filter(oid => !contents.has(oid));
		const sizes = unread.length === 0 ? new Map<string, number>() : await blobSizes(store, unread);
		const small = unread.filter(oid => (sizes.get(oid) ?? 0) <= largest);
		const known = [...needed].map(oid => contents.get(oid)?.length ?? sizes.get(oid) ?? 0);
		if (needed.size > budget.files || known.reduce((sum, one) => sum + one, 0) > budget.bytes) {
			throw new OverBudget({files: needed.size});
		}

		for (const oid of unread) {
			contents.set(oid, '');
		}

		for (const [oid, content] of small.length === 0 ? [] : await readBlobs(store, small)) {
			contents.set(oid, content.toString('utf8'));
		}
	};

	const readWithImports = async (files: SourceTree, paths: Iterable<string>): Promise<void> => {
		const met = new Set([...paths].filter(path => files.has(path)));
		const oidsOf = (some: Iterable<string>) => [...some].flatMap(path => files.get(path) ?? []);
		await read(oidsOf(met));
		for (const path of met) {
			for (const module of modulesOf(files, path)) {
				const places = modulePaths('typescript', path, {module, name: ''});
				const place = places.find(one => files.has(one));
				if (place !== undefined) {
					met.add(place);
				}
			}
		}

		await read(oidsOf(met));
	};

	/** What is not read yet is the same in all trees around, so that its lines tell what it imports. */
	const modulesOf = (files: SourceTree, path: string): readonly string[] => {
		const text = contents.get(files.get(path) ?? '');
		return modulesIn(text ?? (imports === undefined ? '' : linesOf(imports, path)));
	};

	const rootsOf = async (
		files: SourceTree,
		[base = '', ...others]: readonly string[],
	): Promise<ReadonlySet<string>> => {
		const roots = new Set<string>();
		for (const tree of others) {
			for (const {path} of (await changes(store, base, tree)).filter(({path}) => isSource(path))) {
				roots.add(path);
			}
		}

		if (roots.size > budget.files) {
			throw new OverBudget({files: roots.size});
		}

		imports = await importLinesOf(store, base, imports);
		const ambient = [...files.keys()].filter(path => /\.d\.[cm]?ts$/.test(path));
		return new Set([
			...roots,
			...importersOf(imports, roots),
			...(ambient.length > mostAmbient ? [] : ambient),
		]);
	};

	return {
		contents,
		readWithImports,
		wanted: async (tree, around) => {
			listed = {tree, files: await listFrom(store, listed, tree)};
			const {files} = listed;
			needed = new Set();
			if (contents.size > 2 * budget.files) {
				contents.clear();
			}

			if (files.size <= budget.whole) {
				await read([...files.values()]);
				return {files};
			}

			const key = around.join();
			narrowed =
				narrowed?.around === key ? narrowed : {around: key, roots: await rootsOf(files, around)};
			await readWithImports(files, narrowed.roots);
			return {files, roots: narrowed.roots};
		},
	};
};

/** Returns whether a file is source; one below `node_modules` is vendored. */
const isSource = (path: string): boolean =>
	/\.([cm]?[jt]sx?|json)$/.test(path) && !path.split('/').includes('node_modules');

/** A larger file is data. */
const largest = 2 ** 20;

/** Files of declarations may be about all others; where there are more, they are a collection of their own. */
const mostAmbient = 500;

const sourceEntry = ([path, {mode, oid}]: readonly [string, Entry]): readonly [string, string][] =>
	mode.startsWith('100') && isSource(path) ? [[path, oid]] : [];

type Listed = {readonly tree: string; readonly files: SourceTree};

/** Lists the source files of a tree by what it changes in the one that was listed last. */
const listFrom = async (
	store: Store,
	known: Listed | undefined,
	tree: string,
): Promise<SourceTree> => {
	if (known === undefined) {
		return new Map([...(await entriesOf(store, tree))].flatMap(sourceEntry));
	}

	const files = new Map(known.files);
	for (const change of await changes(store, known.tree, tree)) {
		files.delete(change.path);
		const entry = newOf(change);
		for (const [path, oid] of entry === undefined ? [] : sourceEntry([change.path, entry])) {
			files.set(path, oid);
		}
	}

	return files;
};

/** Returns the modules that a text of code brings in. */
const modulesIn = (text: string): readonly string[] =>
	[...text.matchAll(/\b(?:from|import|require|path)\s*[(=]?\s*(['"])([^'"\n]+)\1/g)].map(
		([, , module = '']) => module,
	);

/** The lines of a tree that bring in modules, as `git grep -z` prints them, and where those of each file begin. */
type ImportLines = {
	readonly tree: string;
	readonly text: string;
	readonly starts: ReadonlyMap<string, number>;
};

const importLinesOf = async (
	store: Store,
	tree: string,
	known: ImportLines | undefined,
): Promise<ImportLines> => {
	if (known === undefined) {
		return asImportLines(tree, await grep(store, tree, endings));
	}

	const changed = new Set((await changes(store, known.tree, tree)).map(({path}) => path));
	const sources = [...changed].filter(isSource);
	if (sources.length > mostPaths) {
		return asImportLines(tree, await grep(store, tree, endings));
	}

	if (sources.length === 0) {
		return known;
	}

	const kept = [...linesIn(known)].flatMap(({path, line}) =>
		changed.has(path) ? [] : [`${tree}:${path}\0${line}\n`],
	);
	const paths = sources.map(path => `:(literal)${path}`);
	return asImportLines(tree, kept.join('') + (await grep(store, tree, paths)));
};

const asImportLines = (tree: string, text: string): ImportLines => {
	const starts = new Map<string, number>();
	for (const {path, from} of linesIn({tree, text})) {
		if (!starts.has(path)) {
			starts.set(path, from);
		}
	}

	return {tree, text, starts};
};

/** Returns the lines of a file. */
const linesOf = (imports: ImportLines, path: string): string => {
	const from = imports.starts.get(path);
	const lines: string[] = [];
	for (const one of from === undefined ? [] : linesIn(imports, from)) {
		if (one.path !== path) {
			break;
		}

		lines.push(one.line);
	}

	return lines.join('\n');
};

const endings = ['*.ts', '*.tsx', '*.mts', '*.cts', '*.js', '*.jsx', '*.mjs', '*.cjs'];

/** More are no words of a command any more. */
const mostPaths = 1000;

/** One thread, since git reads its objects one by one anyway. */
const grep = async (store: Store, tree: string, paths: readonly string[]): Promise<string> => {
	const {stdout} = await sealed(
		store,
		['grep', '--threads=1', '-I', '-z', '-F', ...patterns, tree, '--', ...paths],
		{expect: [0, 1], env: {GIT_LITERAL_PATHSPECS: '0'}},
	);
	return stdout.toString('utf8');
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

function* linesIn(
	{tree, text}: Pick<ImportLines, 'tree' | 'text'>,
	start = 0,
): Generator<{readonly path: string; readonly line: string; readonly from: number}> {
	for (let from = start; from < text.length; ) {
		const middle = text.indexOf('\0', from);
		const end = text.indexOf('\n', middle);
		yield {
			path: text.slice(from + tree.length + 1, middle),
			line: text.slice(middle + 1, end),
			from,
		};
		from = end + 1;
	}
}

/** Returns the files that import some of these, also by way of others that export them again. */
const importersOf = (imports: ImportLines, paths: ReadonlySet<string>): ReadonlySet<string> => {
	const importers = new Set<string>();
	for (let targets = byName(paths); targets.size > 0; ) {
		const exporters = new Set<string>();
		for (const {path, line} of linesIn(imports)) {
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

/** Returns files by each name by which an import can end in them. */
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

/** Returns whether a module is, or by an alias of the project may be, a file. */
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
