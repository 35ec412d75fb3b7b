import {readFile} from 'node:fs/promises';
import {join, posix} from 'node:path';
import {pathToFileURL} from 'node:url';
import {parentPort, workerData} from 'node:worker_threads';
import type {API, Diagnostic, Project} from 'typescript/unstable/sync';
import type {Store} from '../../git/store/store.ts';
import {asFailure} from '../../lib/failure.ts';
import {
	importersAmong,
	openSources,
	packageIn,
	type Sources,
	type SourceTree,
	type WantedCheck,
	withFile,
} from './closure.ts';
import {type Checked, type CheckerBudget, type Diagnosis, OverBudget, unique} from './oracle.ts';

/** Requests of the supervisor to TypeScript's process, one after the other. */
export type CompilerQuestion =
	/** Finds TypeScript; must be the first. */
	| {
			readonly kind: 'open';
			readonly store: Store;
			readonly budget: CheckerBudget;
			readonly checkout?: string;
			readonly kept?: string;
	  }
	| {readonly kind: 'check'; readonly tree: string; readonly around: readonly string[]};

/** Requests, and a message that nobody waits for the answer of the last one. */
export type ToCompiler = CompilerQuestion | {readonly kind: 'abandon'};

/** Answers by kind of request. */
export type Replies = {
	/** No version if TypeScript is not installed. */
	readonly open: {readonly version?: string};
	readonly check: Pick<Checked, 'errors' | 'covered' | 'isPart'>;
};

export type CompilerAnswer =
	| {readonly value: Replies[keyof Replies]}
	/** The budget would be exceeded. */
	| {readonly needs: OverBudget['needs']}
	/** TypeScript's program may be gone, so the process has to be replaced. */
	| {readonly failed: string};

/** Not 0 once nobody waits for the answer any more. */
const abandoned: Int32Array = workerData;

let compiler: Compiler | undefined;

const answer = async (question: CompilerQuestion): Promise<Replies[keyof Replies]> => {
	if (question.kind === 'open') {
		const {store, checkout, budget, kept} = question;
		const library = await findLibrary(checkout);
		compiler = library && startCompiler(library, openSources(store, budget, kept));
		return library === undefined ? {} : {version: library.version};
	}

	if (compiler === undefined) {
		throw new Error('TypeScript is not open.');
	}

	return compiler.check(question.tree, question.around);
};

parentPort?.on('message', async (question: CompilerQuestion) => {
	const told: CompilerAnswer = await answer(question).then(
		value => ({value}),
		error =>
			error instanceof OverBudget ? {needs: error.needs} : {failed: asFailure(error).message},
	);
	parentPort?.postMessage(told);
});

/** A running program of TypeScript, which keeps its data from one tree to the next. */
type Compiler = {
	readonly check: (tree: string, around: readonly string[]) => Promise<Replies['check']>;
};

const startCompiler = ({API}: Library, sources: Sources): Compiler => {
	const fileSystem = createTreeFileSystem(sources.contents);
	const api = new API({cwd: root, fs: fileSystem.callbacks});
	let opened: readonly string[] = [];
	/** Repeats a query after reading the files that it missed. */
	const look = async <Result>(
		{
			files,
			configs,
			changes,
		}: {
			readonly files: SourceTree;
			readonly configs: readonly string[];
			readonly changes: FileChanges;
		},
		use: (projects: readonly Project[]) => Promise<Result>,
	): Promise<Result> => {
		const snapshot = await api.updateSnapshot({
			fileChanges: changes,
			openProjects: configs.filter(config => !opened.includes(config)),
			closeProjects: opened.filter(config => !configs.includes(config)),
		});
		opened = configs;
		const missed = fileSystem.takeMissed();
		if (missed.length === 0) {
			const result = await use(configs.flatMap(config => snapshot.getProject(config) ?? []));
			await snapshot.dispose();
			return result;
		}

		await snapshot.dispose();
		await sources.readWithImports(files, missed);
		const changed = missed.map(inRoot);
		return look({files, configs, changes: {created: [], changed, deleted: []}}, use);
	};

	return {
		check: async (tree, around) => {
			const wanted = await sources.wanted(tree, around);
			const {configs, files} = projectsOf(wanted);
			const {roots, packages} = wanted;
			await sources.readWithImports(wanted.files, configs);
			// Files are invalidated one by one: after a full invalidation it continues with stale files.
			const changes = fileSystem.show(files, roots, packages);
			return look({files, configs: configs.map(inRoot), changes}, async projects => {
				const errors: Diagnosis[] = [];
				const covered = new Set<string>();
				for (const project of projects) {
					const own = project.rootFiles.map(path => path.slice(root.length + 1));
					const checked = own.filter(path => roots?.has(path) ?? true);
					errors.push(
						...(await errorsOf(project, fileSystem.callbacks.readFile, roots && checked)),
					);
					for (const path of checked) {
						covered.add(path);
					}
				}

				const unresolved = unresolvedIn(errors, packages);
				for (const path of unresolved.length === 0
					? []
					: importersAmong(wanted, sources.contents, unresolved)) {
					covered.delete(path);
				}

				return {errors: unique(errors), covered, isPart: roots !== undefined};
			});
		},
	};
};

/** Returns the files whose import of a workspace package fails because only a build creates its entry point: their use of it can't be checked. */
const unresolvedIn = (
	errors: readonly Diagnosis[],
	packages: WantedCheck['packages'],
): readonly string[] =>
	errors.flatMap(({path, code, text}) => {
		const [, module = ''] = /'([^']+)'/.exec(text) ?? [];
		return code === 'TS2307' && packages.has(packageIn(module)) ? [path] : [];
	});

type FileChanges = {
	readonly created: string[];
	readonly changed: string[];
	readonly deleted: string[];
};

/** Returns the errors of some files of a project, or of all; of no more if nobody waits for them. */
const errorsOf = async (
	{program}: Project,
	read: (path: string) => string | null | undefined,
	paths: readonly string[] | undefined,
): Promise<readonly Diagnosis[]> => {
	const told: Diagnostic[] = [];
	for (const path of paths?.map(inRoot) ?? [undefined]) {
		if (Atomics.load(abandoned, 0) !== 0) {
			break;
		}

		told.push(
			...(await program.getSyntacticDiagnostics(path)),
			...(await program.getSemanticDiagnostics(path)),
		);
	}

	return told
		.filter(({code}) => paths === undefined || code !== unlistedFile)
		.flatMap(diagnostic => diagnosisOf(diagnostic, read));
};

/** Code of the error about an import that is not among a composite project's files: a part of a project is not told of all its files. */
const unlistedFile = 6307;

const diagnosisOf = (
	{fileName, pos, code, category, text}: Diagnostic,
	read: (path: string) => string | null | undefined,
): readonly Diagnosis[] =>
	category === errorCategory && fileName?.startsWith(`${root}/`) === true
		? [
				{
					path: fileName.slice(root.length + 1),
					line: (read(fileName) ?? '').slice(0, pos).split('\n').length,
					code: `TS${code}`,
					text: text.replaceAll(`${root}/`, ''),
				},
			]
		: [];

/** `DiagnosticCategory.Error`; the library itself is loaded only when it is asked. */
const errorCategory = 1;

/** TypeScript as a library, since version 7. */
type Library = {readonly version: string; readonly API: typeof API};

/**
Returns the project's own TypeScript if it is new enough, otherwise the bundled one, otherwise nothing.

Its API is marked as unstable, so it is used only in this folder, and the bundled one has an exact version. A project's own version with another API counts as missing.
*/
const findLibrary = async (checkout: string | undefined): Promise<Library | undefined> =>
	(checkout === undefined ? undefined : await ownOf(checkout)) ?? (await ours());

const ownOf = async (checkout: string): Promise<Library | undefined> => {
	const folder = join(checkout, 'node_modules/typescript');
	const {version} = await readFile(join(folder, 'package.json'), 'utf8').then(
		text => JSON.parse(text) as {version?: string},
		() => ({version: undefined}),
	);
	if (version === undefined || Number.parseInt(version, 10) < firstMajor) {
		return;
	}

	return load(version, pathToFileURL(join(folder, 'dist/api/sync/api.js')).href);
};

const firstMajor = 7;

const ours = async (): Promise<Library | undefined> => {
	const name = 'typescript';
	const {version} = await import(name).catch(() => ({version: undefined}));
	return version === undefined ? undefined : load(version, `${name}/unstable/sync`);
};

const load = async (version: string, specifier: string): Promise<Library | undefined> => {
	const {API} = await import(specifier).catch(() => ({API: undefined}));
	return typeof API === 'function' ? {version, API} : undefined;
};

/** Name of a project's file, from which TypeScript takes its options. */
const configName = 'tsconfig.json';

/** Returns the projects of a tree that may contain some of the files to check, those nearest to its root first, and the tree; one without any gets a project with strict defaults. */
const projectsOf = ({
	files,
	roots,
}: WantedCheck): {readonly configs: readonly string[]; readonly files: SourceTree} => {
	const folders = roots && [...new Set([...roots].flatMap(foldersAbove))];
	const places = folders?.map(folder => posix.join(folder, configName)) ?? [...files.paths()];
	const configs = places
		.filter(path => posix.basename(path) === configName && files.get(path) !== undefined)
		.sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1))
		.slice(0, most);
	return configs.length > 0
		? {configs, files}
		: {configs: [configName], files: withFile(files, configName, ownConfig)};
};

/** Returns the folders above a file, including `.`. */
const foldersAbove = (path: string): readonly string[] => {
	const folder = posix.dirname(path);
	return folder === '.' ? [folder] : [folder, ...foldersAbove(folder)];
};

const depth = (path: string): number => path.split('/').length;

/** Maximum number of projects: those of one repository share files, and each is checked in full. */
const most = 12;

/** Content of the default config, which is its own id among the contents. */
const ownConfig = JSON.stringify({
	compilerOptions: {
		strict: true,
		noEmit: true,
		skipLibCheck: true,
		target: 'esnext',
		module: 'preserve',
		moduleResolution: 'bundler',
		allowImportingTsExtensions: true,
		jsx: 'preserve',
		types: [],
	},
	include: ['**/*'],
});

/** Virtual folder of the trees, which exists on no disk. */
const root = '/delegate-tui-merged-tree';

/**
Presents trees as files and folders without writing one.

It contains only the tree, the packages of its workspaces as an install would link them, and the declarations of the language. The packages that it depends on are missing: the checker types their exports as `any`, which hides some errors and invents none that only a merge would have. Folders list only files to be checked, so that a project is no more than these and their imports.
*/
const createTreeFileSystem = (contents: ReadonlyMap<string, string>) => {
	let files: SourceTree | undefined;
	let listing = foldersOf([]);
	const listed = new Set<string>();
	const missed = new Set<string>();
	let packages: WantedCheck['packages'] = new Map();
	/** Returns a path in the tree; a path below the link to a package leads into the package's folder. */
	const within = (path: string): string => {
		const inside = inTree(path);
		const [, name = '', rest = ''] = /^node_modules\/((?:@[^/]+\/)?[^/]+)(.*)$/.exec(inside) ?? [];
		const folder = packages.get(name);
		return folder === undefined ? inside : `${folder}${rest}`.replace(/^\//, '');
	};
	return {
		callbacks: {
			/** `null` means that there is no file; `undefined` that the disk is to be read. */
			readFile: (path: string) => {
				const oid = files?.get(within(path));
				if (oid === undefined) {
					return isOfTheLanguage(path) ? undefined : null;
				}

				const text = oid === ownConfig ? oid : contents.get(oid);
				if (text === undefined) {
					missed.add(within(path));
				}

				return text ?? null;
			},
			fileExists: (path: string) => files?.get(within(path)) !== undefined,
			directoryExists: (path: string) =>
				files?.hasFolder(within(path)) === true ||
				[...packages.keys()].some(name => `node_modules/${name}`.startsWith(`${inTree(path)}/`)),
			getAccessibleEntries: (path: string) => {
				const folder = listing.get(within(path));
				return {files: [...(folder?.files ?? [])], directories: [...(folder?.directories ?? [])]};
			},
			realpath: (path: string) => (path.startsWith(`${root}/`) ? inRoot(within(path)) : path),
		},
		/** Replaces the last tree, and returns the files that differ. Files that were listed once stay listed: that only adds files to look at. */
		show: (
			tree: SourceTree,
			roots: ReadonlySet<string> | undefined,
			linked: WantedCheck['packages'],
		): FileChanges => {
			const links = [packages, linked].flatMap(all =>
				[...all.keys()].flatMap(name =>
					packages.get(name) === linked.get(name) ? [] : [`node_modules/${name}/package.json`],
				),
			);
			packages = linked;
			const differing = new Set([...(files?.changed.keys() ?? []), ...tree.changed.keys()]);
			const changes = changesBetween(files, tree, differing);
			const found = [...(roots ?? tree.paths())].filter(path => !listed.has(path));
			const own = tree.changed.get(configName) === ownConfig ? [configName] : [];
			for (const path of [...found, ...own]) {
				listed.add(path);
			}

			files = tree;
			listing = foldersOf([...listed].filter(path => tree.get(path) !== undefined));
			const {created, changed, deleted} = changes;
			return {
				created: [...new Set([...created, ...found, ...links])].map(inRoot),
				changed: changed.map(inRoot),
				deleted: deleted.map(inRoot),
			};
		},
		/** Returns the requested files that had not been read, and clears the list. */
		takeMissed: (): readonly string[] => {
			const taken = [...missed];
			missed.clear();
			return taken;
		},
	};
};

const inRoot = (path: string): string => `${root}/${path}`;

/** Returns a path relative to the root of the tree; empty for the root itself, and meaningless outside. */
const inTree = (path: string): string =>
	path === root ? '' : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

/** Returns whether a file belongs to the compiler, such as `lib.es2024.array.d.ts`. */
const isOfTheLanguage = (path: string): boolean =>
	!path.startsWith(`${root}/`) && /\/lib\/lib\.[\w.]*d\.ts$/.test(path);

const changesBetween = (
	before: SourceTree | undefined,
	after: SourceTree,
	paths: Iterable<string>,
): FileChanges => {
	const changes: FileChanges = {created: [], changed: [], deleted: []};
	for (const path of paths) {
		const [old, now] = [before?.get(path), after.get(path)];
		if (old !== now) {
			changes[now === undefined ? 'deleted' : old === undefined ? 'created' : 'changed'].push(path);
		}
	}

	return changes;
};

type Folder = {readonly files: Set<string>; readonly directories: Set<string>};

const foldersOf = (paths: Iterable<string>): ReadonlyMap<string, Folder> => {
	const folders = new Map<string, Folder>([['', {files: new Set(), directories: new Set()}]]);
	const folder = (path: string): Folder => {
		const known = folders.get(path);
		if (known !== undefined) {
			return known;
		}

		const made = {files: new Set<string>(), directories: new Set<string>()};
		folders.set(path, made);
		const [parent, name] = apart(path);
		folder(parent).directories.add(name);
		return made;
	};
	for (const path of paths) {
		const [parent, name] = apart(path);
		folder(parent).files.add(name);
	}

	return folders;
};

const apart = (path: string): [parent: string, name: string] => {
	const slash = path.lastIndexOf('/');
	return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
};
