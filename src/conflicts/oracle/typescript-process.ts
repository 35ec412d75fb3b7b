import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {API, Diagnostic, Project} from 'typescript/unstable/async';
import type {Store} from '../../git/store/store.ts';
import {readBlobs} from '../../git/tree/blobs.ts';
import {filesOf, type TreeFile} from '../../git/tree/entry.ts';
import {asFailure} from '../../lib/failure.ts';
import {send} from '../../lib/process/processes.ts';
import {type Checked, type Diagnosis, unique} from './oracle.ts';

/** What the supervisor asks of this process, one after the other. */
export type Question =
	/** Finds TypeScript, before all else. */
	| {readonly kind: 'open'; readonly store: Store; readonly checkout?: string}
	| {readonly kind: 'check'; readonly tree: string};

/** What it answers each kind. */
export type Replies = {
	/** No version where there is no TypeScript. */
	readonly open: {readonly version?: string};
	readonly check: Pick<Checked, 'errors' | 'covered'>;
};

type Opened = {readonly store: Store; readonly compiler: Compiler};

let opened: Opened | undefined;
const contents = new Map<string, string>();

const answer = async (question: Question): Promise<Replies[keyof Replies]> => {
	if (question.kind === 'open') {
		const {store, checkout} = question;
		const library = await findLibrary(checkout);
		opened = library && {store, compiler: startCompiler(library, contents)};
		return library === undefined ? {} : {version: library.version};
	}

	if (opened === undefined) {
		throw new Error('TypeScript is not open.');
	}

	const {store, compiler} = opened;
	return compiler.check(await readSourceTree(store, question.tree, contents));
};

// An error that nothing here catches, such as a write to TypeScript's program that has ended, ends this process alone.
process.on('message', async (question: Question) => {
	const told = await answer(question).then(
		value => ({value}),
		error => ({failed: asFailure(error).message}),
	);
	process.send?.(told);
});

// It leads a group of its own: TypeScript's program goes with it.
process.on('disconnect', () => send(-process.pid, 'SIGKILL'));

/** A program of TypeScript's at work; it keeps what it knows from one tree to the next. */
type Compiler = {readonly check: (files: SourceTree) => Promise<Replies['check']>};

const startCompiler = ({API}: Library, contents: Contents): Compiler => {
	const fileSystem = createTreeFileSystem(contents);
	const api = new API({cwd: root, fs: fileSystem.callbacks});
	let opened: readonly string[] = [];
	return {
		check: async files => {
			const projects = projectsOf(files, contents);
			// Named one by one: told to forget everything, it goes on with what it had read.
			const fileChanges = fileSystem.show(projects.tree);
			const configs = projects.configs.map(path => `${root}/${path}`);
			const snapshot = await api.updateSnapshot({
				fileChanges,
				openProjects: configs.filter(config => !opened.includes(config)),
				closeProjects: opened.filter(config => !configs.includes(config)),
			});
			opened = configs;
			const errors: Diagnosis[] = [];
			const covered = new Set<string>();
			for (const project of configs.flatMap(config => snapshot.getProject(config) ?? [])) {
				errors.push(...(await errorsOf(project, fileSystem.callbacks.readFile)));
				for (const path of project.rootFiles) {
					covered.add(path.slice(root.length + 1));
				}
			}

			await snapshot.dispose();
			return {errors: unique(errors), covered};
		},
	};
};

const errorsOf = async (
	{program}: Project,
	read: (path: string) => string | null | undefined,
): Promise<readonly Diagnosis[]> => {
	const told = [
		...(await program.getSyntacticDiagnostics()),
		...(await program.getSemanticDiagnostics()),
	];
	return told.flatMap(diagnostic => diagnosisOf(diagnostic, read));
};

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
					text,
				},
			]
		: [];

/** `DiagnosticCategory.Error`; the library itself is loaded only when it is asked. */
const errorCategory = 1;

/** TypeScript as a library, from version 7 on. */
type Library = {readonly version: string; readonly API: typeof API};

/**
Returns the project's own TypeScript if it is new enough, else the one that came with us, else nothing.

Its interface for programs is called unstable by its makers, so it is used in this folder alone and ours is of one exact version. A project's own that turns out to be different is as good as none.
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

	return load(version, pathToFileURL(join(folder, 'dist/api/async/api.js')).href);
};

const firstMajor = 7;

const ours = async (): Promise<Library | undefined> => {
	const name = 'typescript';
	const {version} = await import(name).catch(() => ({version: undefined}));
	return version === undefined ? undefined : load(version, `${name}/unstable/async`);
};

const load = async (version: string, specifier: string): Promise<Library | undefined> => {
	const {API} = await import(specifier).catch(() => ({API: undefined}));
	return typeof API === 'function' ? {version, API} : undefined;
};

/** The name of a project's file; TypeScript takes its options from there. */
const configName = 'tsconfig.json';

/** Returns the projects of a tree, those nearest to its root first, and the tree; one without any gets a project with strict defaults. */
const projectsOf = (
	tree: SourceTree,
	contents: Contents,
): {readonly configs: readonly string[]; readonly tree: SourceTree} => {
	const configs = [...tree.keys()]
		.filter(path => path === configName || path.endsWith(`/${configName}`))
		.sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1))
		.slice(0, most);
	if (configs.length > 0) {
		return {configs, tree};
	}

	contents.set(ownConfig, ownConfig);
	return {configs: [configName], tree: new Map([...tree, [configName, ownConfig]])};
};

const depth = (path: string): number => path.split('/').length;

/** Projects of one repository share their files, and each of them is checked whole. */
const most = 12;

/** Stands for its own id, so that it is one content among the others. */
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

/** Where the trees seem to lie: a folder that no disk has. */
const root = '/delegate-tui-merged-tree';

/**
Lays trees out as files and folders without writing one.

Nothing but the tree is there, and the declarations of the language itself. Not the packages that it depends on, either: what comes from them can be anything to the checker, which hides some errors and invents none that only a merge would have.
*/
const createTreeFileSystem = (contents: Contents) => {
	let files: SourceTree = new Map();
	let folders = foldersOf(files);
	return {
		callbacks: {
			/** `null` says that there is none; `undefined` that the disk is to be asked. */
			readFile: (path: string) =>
				contents.get(files.get(path) ?? '') ?? (isOfTheLanguage(path) ? undefined : null),
			fileExists: (path: string) => files.has(path),
			directoryExists: (path: string) => folders.has(path),
			getAccessibleEntries: (path: string) => {
				const folder = folders.get(path);
				return {files: [...(folder?.files ?? [])], directories: [...(folder?.directories ?? [])]};
			},
			realpath: (path: string) => path,
		},
		/** Puts a tree in the place of the last one, and returns the files that differ. */
		show: (tree: SourceTree) => {
			const next = new Map([...tree].map(([path, oid]) => [`${root}/${path}`, oid]));
			const changes = changesBetween(files, next);
			files = next;
			folders = foldersOf(next);
			return changes;
		},
	};
};

/** Returns whether a file is one of the compiler's own, such as `lib.es2024.array.d.ts`. */
const isOfTheLanguage = (path: string): boolean =>
	!path.startsWith(`${root}/`) && /\/lib\/lib\.[\w.]*d\.ts$/.test(path);

const changesBetween = (before: SourceTree, after: SourceTree) => ({
	created: [...after.keys()].filter(path => !before.has(path)),
	changed: [...after]
		.filter(([path, oid]) => (before.get(path) ?? oid) !== oid)
		.map(([path]) => path),
	deleted: [...before.keys()].filter(path => !after.has(path)),
});

type Folder = {readonly files: Set<string>; readonly directories: Set<string>};

const foldersOf = (files: SourceTree): ReadonlyMap<string, Folder> => {
	const folders = new Map<string, Folder>([[root, {files: new Set(), directories: new Set()}]]);
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
	for (const path of files.keys()) {
		const [parent, name] = apart(path);
		folder(parent).files.add(name);
	}

	return folders;
};

const apart = (path: string): [parent: string, name: string] => {
	const slash = path.lastIndexOf('/');
	return [path.slice(0, slash), path.slice(slash + 1)];
};

/** Files of a tree by path, with their blob ids. */
type SourceTree = ReadonlyMap<string, string>;

/** Contents by id; it grows with what differs between the trees that are read. */
type Contents = Map<string, string>;

/** Returns the files of a tree that TypeScript can read, and reads those whose contents aren't known yet. */
const readSourceTree = async (
	store: Store,
	tree: string,
	contents: Contents,
): Promise<SourceTree> => {
	const files = [...(await filesOf(store, tree))].filter(([path, file]) => isSource(path, file));
	const unread = files.map(([, {oid}]) => oid).filter(oid => !contents.has(oid));
	for (const [oid, bytes] of unread.length === 0 ? [] : await readBlobs(store, unread)) {
		contents.set(oid, bytes.toString('utf8'));
	}

	return new Map(files.map(([path, {oid}]) => [path, oid]));
};

/** Returns whether a file is source; one below `node_modules` is vendored, and a very large one is data. */
const isSource = (path: string, {bytes}: TreeFile): boolean =>
	/\.([cm]?[jt]sx?|json)$/.test(path) &&
	bytes <= mostBytes &&
	!path.split('/').includes('node_modules');

const mostBytes = 2 ** 20;
