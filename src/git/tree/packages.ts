import {readJsonObject} from '../../lib/text/json.ts';
import {isObject} from '../../lib/values.ts';
import type {WorkspacePackage} from '../../lib/workspace.ts';
import type {GitLocation} from '../process/sealed.ts';
import {contentsOf} from './blobs.ts';
import {entriesAt, foldersIn} from './entry.ts';

/** Returns the packages of the workspaces in a tree. */
export const packagesIn = (
	store: GitLocation,
	tree: string,
): Promise<readonly WorkspacePackage[]> =>
	workspacePackages({
		read: async paths => {
			const entries = [...(await entriesAt(store, tree, paths))];
			const texts = await contentsOf(
				store,
				new Map(
					entries.flatMap(([path, {mode, oid}]) => (mode.startsWith('100') ? [[path, oid]] : [])),
				),
			);
			return new Map([...texts].map(([path, text]) => [path, text.toString('utf8')]));
		},
		folders: folder => foldersIn(store, tree, folder),
	});

/** Access to the files of a repository. */
export type WorkspaceFiles = {
	/** Returns the texts of those files that exist, by path. */
	readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>;
	/** Returns the paths of the folders in a folder; the top is empty. */
	readonly folders: (folder: string) => Promise<readonly string[]>;
};

type Tool = {
	/** The file at the root that names the members. */
	readonly root: string;
	/** Returns the folders that it names, as globs. */
	readonly members: (text: string) => readonly string[];
	/** The file of each member. */
	readonly manifest: string;
	readonly describe: (text: string) => Pick<WorkspacePackage, 'name' | 'entries'> | undefined;
};

const named = (name: string | undefined, entries: readonly string[] = []) =>
	name === undefined ? undefined : {name, entries};

const quotedIn = (list = ''): readonly string[] =>
	[...list.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, one = '', other]) => other ?? one);

/** Returns the strings of a list in a table of a TOML file. */
const tomlList = (text: string, table: string, key: string): readonly string[] => {
	const section = `^\\[${table}\\](?:(?!^\\[)[\\s\\S])*?^${key}\\s*=\\s*\\[([^\\]]*)\\]`;
	return quotedIn(new RegExp(section, 'm').exec(text)?.[1]?.replaceAll(/#.*$/gm, ''));
};

const tomlName = (text: string, table: string): string | undefined =>
	new RegExp(`^\\[${table}\\](?:(?!^\\[)[\\s\\S])*?^name\\s*=\\s*["']([^"']+)`, 'm').exec(
		text,
	)?.[1];

/** Collects the paths of `main`, `types`, `exports` and so on, whatever conditions they stand under. */
const leaves = (value: unknown): readonly string[] =>
	typeof value === 'string' ? [value] : isObject(value) ? Object.values(value).flatMap(leaves) : [];

const scriptPackage: Pick<Tool, 'manifest' | 'describe'> = {
	manifest: 'package.json',
	describe: text => {
		const {name, source, types, module, main, exports} = readJsonObject(text) ?? {};
		const ofRoot = isObject(exports) && '.' in exports ? exports['.'] : exports;
		return typeof name === 'string'
			? named(name, leaves([source, types, module, main, ofRoot]))
			: undefined;
	},
};

const tools = {
	npm: {
		root: 'package.json',
		members: text => {
			const {workspaces} = readJsonObject(text) ?? {};
			return leaves(
				isObject(workspaces) && 'packages' in workspaces ? workspaces.packages : workspaces,
			);
		},
		...scriptPackage,
	},
	pnpm: {
		root: 'pnpm-workspace.yaml',
		members: text => {
			const [, inline = '', lines = ''] =
				/^packages:[ \t]*(?:\[([^\]]*)\]|((?:\r?\n[ \t]*(?:-.*|#.*)?)*))/m.exec(text) ?? [];
			const items = [...lines.matchAll(/^\s*-\s*["']?([^"'#\r\n]+?)["']?\s*(?:#.*)?$/gm)];
			return [...quotedIn(inline), ...items.map(([, item = '']) => item)];
		},
		...scriptPackage,
	},
	cargo: {
		root: 'Cargo.toml',
		members: text => tomlList(text, 'workspace', 'members'),
		manifest: 'Cargo.toml',
		describe: text => named(tomlName(text, 'lib') ?? tomlName(text, 'package')),
	},
	go: {
		root: 'go.work',
		members: text => [
			...[...text.matchAll(/^use\s*\(([^)]*)\)/gm)].flatMap(([, block = '']) =>
				block.replaceAll(/\/\/.*$/gm, '').split(/\s+/),
			),
			...[...text.matchAll(/^use\s+([^\s(]+)/gm)].map(([, folder = '']) => folder),
		],
		manifest: 'go.mod',
		describe: text => named(/^module\s+(\S+)/m.exec(text)?.[1]),
	},
	uv: {
		root: 'pyproject.toml',
		members: text => tomlList(text, String.raw`tool\.uv\.workspace`, 'members'),
		manifest: 'pyproject.toml',
		describe: text => named(tomlName(text, 'project')),
	},
} satisfies Readonly<Record<WorkspacePackage['of'], Tool>>;

/** Returns the packages of a repository's workspaces: its members, and its root where that is one. */
export const workspacePackages = async (
	files: WorkspaceFiles,
): Promise<readonly WorkspacePackage[]> => {
	const kinds = Object.entries(tools) as readonly [WorkspacePackage['of'], Tool][];
	const roots = await files.read(kinds.map(([, {root}]) => root));
	const found = kinds.map(async ([of, {root, members, manifest, describe}]) => {
		const globs = members(roots.get(root) ?? '').filter(glob => glob !== '');
		if (globs.length === 0) {
			return [];
		}

		const [left, taken] = [globs.filter(isExclusion), globs.filter(glob => !isExclusion(glob))];
		const without = new Set(
			await foldersOf(
				left.map(glob => glob.slice(1)),
				files,
			),
		);
		const folders = ['', ...(await foldersOf(taken, files))].filter(one => !without.has(one));
		const pathOf = (folder: string) => (folder === '' ? manifest : `${folder}/${manifest}`);
		const texts = await files.read(folders.map(pathOf));
		return folders.flatMap(folder => {
			const said = describe(texts.get(pathOf(folder)) ?? '');
			return said === undefined ? [] : [{of, folder, ...said}];
		});
	});
	return (await Promise.all(found)).flat();
};

const isExclusion = (glob: string): boolean => glob.startsWith('!');

const foldersOf = async (
	globs: readonly string[],
	files: WorkspaceFiles,
): Promise<readonly string[]> => {
	const all = await Promise.all(
		globs.map(glob =>
			expand(
				'',
				glob.split('/').filter(step => step !== '' && step !== '.'),
				files,
			),
		),
	);
	return [...new Set(all.flat())].slice(0, mostPackages);
};

/** How deep `**` leads, and how many packages are looked at. */
const mostDeep = 5;
const mostPackages = 5000;

const expand = async (
	folder: string,
	[step, ...rest]: readonly string[],
	files: WorkspaceFiles,
): Promise<readonly string[]> => {
	const within = (name: string) => (folder === '' ? name : `${folder}/${name}`);
	if (step === undefined) {
		return folder === '' ? [] : [folder];
	}

	if (step === '**') {
		const isDeep = folder.split('/').length >= mostDeep;
		const below = isDeep ? [] : await inside(folder, files);
		const found = await Promise.all(below.map(one => expand(one, [step, ...rest], files)));
		return [...(await expand(folder, rest, files)), ...found.flat()];
	}

	if (!step.includes('*')) {
		return expand(within(step), rest, files);
	}

	const pattern = step.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*');
	const fits = new RegExp(`^${pattern}$`);
	const below = (await inside(folder, files)).filter(one => fits.test(one.split('/').at(-1) ?? ''));
	return (await Promise.all(below.map(one => expand(one, rest, files)))).flat();
};

const inside = async (folder: string, files: WorkspaceFiles): Promise<readonly string[]> =>
	(await files.folders(folder)).filter(one => !/(?:^|\/)(?:node_modules|\.[^/]*)$/.test(one));
