import type {Contents, SourceTree} from './source-tree.ts';

/** Where the trees seem to lie: a folder that no disk has. */
export const root = '/delegate-tui-merged-tree';

/** A file system that holds one tree after another at the same place. */
export type TreeFileSystem = {
	readonly callbacks: {
		/** `null` says that there is none; `undefined` that the disk is to be asked. */
		readFile(path: string): string | null | undefined;
		fileExists(path: string): boolean;
		directoryExists(path: string): boolean;
		getAccessibleEntries(path: string): {files: string[]; directories: string[]};
		realpath(path: string): string;
	};
	/** Puts a tree in the place of the last one, and returns the files that differ. */
	show(tree: SourceTree): TreeChanges;
};

export type TreeChanges = {
	readonly created: string[];
	readonly changed: string[];
	readonly deleted: string[];
};

/**
Lays trees out as files and folders without writing one.

Nothing but the tree is there, and the declarations of the language itself. Not the packages that it depends on, either: what comes from them can be anything to the checker, which hides some errors and invents none that only a merge would have.
*/
export const createTreeFileSystem = (contents: Contents): TreeFileSystem => {
	let files: SourceTree = new Map();
	let folders = foldersOf(files);
	return {
		callbacks: {
			readFile: path =>
				contents.get(files.get(path) ?? '') ?? (isOfTheLanguage(path) ? undefined : null),
			fileExists: path => files.has(path),
			directoryExists: path => folders.has(path),
			getAccessibleEntries: path => {
				const folder = folders.get(path);
				return {files: [...(folder?.files ?? [])], directories: [...(folder?.directories ?? [])]};
			},
			realpath: path => path,
		},
		show: tree => {
			const next = new Map([...tree].map(([path, oid]) => [`${root}/${path}`, oid]));
			const changes = changesBetween(files, next);
			files = next;
			folders = foldersOf(next);
			return changes;
		},
	};
};

/** What the compiler brings along, such as `lib.es2024.array.d.ts`. */
const isOfTheLanguage = (path: string): boolean =>
	!path.startsWith(`${root}/`) && /\/lib\/lib\.[\w.]*d\.ts$/.test(path);

const changesBetween = (before: SourceTree, after: SourceTree): TreeChanges => ({
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
