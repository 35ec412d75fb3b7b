import {isMap, isScalar, isSeq} from 'yaml';
import {readJsonObject} from '../../lib/text/json.ts';
import {createYamlParser} from '../../lib/text/yaml-document.ts';
import {isObject} from '../../lib/values.ts';
import type {WorkspacePackage} from '../../lib/workspace.ts';
import type {GitLocation} from '../process/sealed.ts';
import {blobSizes, contentsOf} from './blobs.ts';
import {entriesAt, foldersIn} from './entry.ts';

/** Returns the packages of the workspaces in a tree; none if git can't read the files that a manifest names. */
export const packagesIn = (
	store: GitLocation,
	tree: string,
): Promise<readonly WorkspacePackage[]> =>
	workspacePackages({
		read: async paths => {
			const entries = [...(await entriesAt(store, tree, paths))];
			const oids = entries.flatMap(([path, {mode, oid}]): [string, string][] =>
				mode.startsWith('100') ? [[path, oid]] : [],
			);
			const sizes = await blobSizes(
				store,
				oids.map(([, oid]) => oid),
			);
			let left = mostBytesTogether;
			const small = oids.filter(([, oid]) => {
				const bytes = sizes.get(oid) ?? 0;
				const isRead = bytes <= Math.min(left, mostBytes);
				left -= isRead ? bytes : 0;
				return isRead;
			});
			const texts = await contentsOf(store, new Map(small));
			return new Map([...texts].map(([path, text]) => [path, text.toString('utf8')]));
		},
		folders: folder => foldersIn(store, tree, folder),
	}).catch(() => []);

/** Maximum sizes of manifests: an agent may write them, and the supervisor's main thread parses them. */
const mostBytes = 262_144;
const mostBytesTogether = 32 * 1_048_576;
const mostYamlParts = 20_000;

/** Access to the files of a repository. */
export type WorkspaceFiles = {
	/** Returns the texts of those files that exist, by path. */
	readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>;
	/** Returns the paths of the folders in a folder; the top is empty. */
	readonly folders: (folder: string) => Promise<readonly string[]>;
};

type Tool = {
	/** File at the root that names the members. */
	readonly root: string;
	/** Returns the folders that it names, as globs. */
	readonly members: (text: string) => readonly string[];
	/** File name of each member's manifest. */
	readonly manifest: string;
	readonly describe: (text: string) => Pick<WorkspacePackage, 'name' | 'entries'> | undefined;
};

const named = (name: string | undefined, entries: readonly string[] = []) =>
	name === undefined ? undefined : {name, entries};

const quotedIn = (list = ''): readonly string[] =>
	[...list.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, one = '', other]) => other ?? one);

/** Returns the strings of the list `members` in a table of a TOML file. */
const tomlMembers = (text: string, table: string): readonly string[] => {
	const section = `^\\[${table}\\](?:(?!^\\[)[\\s\\S])*?^members\\s*=\\s*\\[([^\\][]*)\\]`;
	return quotedIn(new RegExp(section, 'm').exec(text.replaceAll(/#.*$/gm, ''))?.[1]);
};

/** Returns the strings of a list in the map at the top of a YAML file. */
const yamlList = (text: string, key: string): readonly string[] => {
	const parsed = createYamlParser(mostYamlParts)(text);
	const top = parsed === 'too many parts' ? undefined : parsed.document.contents;
	const list = isMap(top) ? top.get(key) : undefined;
	const values = isSeq(list) ? list.items.map(one => (isScalar(one) ? one.value : one)) : [];
	return values.filter(value => typeof value === 'string');
};

const tomlName = (text: string, table: string): string | undefined =>
	new RegExp(`^\\[${table}\\](?:(?!^\\[)[\\s\\S])*?^name\\s*=\\s*["']([^"']+)`, 'm').exec(
		text,
	)?.[1];

/** Collects the paths in `main`, `types`, `exports` and so on, under all conditions. */
const leaves = (value: unknown, depth = 0): readonly string[] =>
	typeof value === 'string'
		? [value]
		: isObject(value) && depth < mostDeep
			? Object.values(value).flatMap(one => leaves(one, depth + 1))
			: [];

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
		members: text => yamlList(text, 'packages'),
		...scriptPackage,
	},
	cargo: {
		root: 'Cargo.toml',
		members: text => tomlMembers(text, 'workspace'),
		manifest: 'Cargo.toml',
		describe: text => named(tomlName(text, 'lib') ?? tomlName(text, 'package')),
	},
	go: {
		root: 'go.work',
		members: text => {
			const plain = text.replaceAll(/\/\/.*$/gm, '');
			const blocks = [...plain.matchAll(/^use\s*\(([^()]*)\)/gm)];
			const lines = [...plain.matchAll(/^use\s+([^\s(]+)/gm)];
			return [
				...blocks.flatMap(([, block = '']) => block.split(/\s+/)),
				...lines.map(([, one = '']) => one),
			];
		},
		manifest: 'go.mod',
		describe: text => named(/^module\s+(\S+)/m.exec(text)?.[1]),
	},
	uv: {
		root: 'pyproject.toml',
		members: text => tomlMembers(text, String.raw`tool\.uv\.workspace`),
		manifest: 'pyproject.toml',
		describe: text => named(tomlName(text, 'project')),
	},
} satisfies Readonly<Record<WorkspacePackage['of'], Tool>>;

/** Returns the packages of a repository's workspaces: its members, and its root if that is a package. */
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
	const expand = makeExpand(files);
	const steps = globs
		.filter(glob => glob.length <= longestGlob && !glob.startsWith('/'))
		.flatMap(alternatives)
		.map(glob => glob.split('/').filter(step => step !== '' && step !== '.'))
		.filter(some => !some.includes('..'));
	const all = await Promise.all(steps.map(some => expand('', some)));
	return [...new Set(all.flat())].slice(0, mostPackages);
};

/** Returns a glob for each alternative in its first braces; several braces could make any number. */
const alternatives = (glob: string): readonly string[] => {
	const [, before = '', inside, after = ''] = /^([^{}]*)\{([^{}]*)\}(.*)$/.exec(glob) ?? [];
	return inside?.split(',').map(one => `${before}${one}${after}`) ?? [glob];
};

/** Maximum depth of `**` and of nested values, and maximum number of packages. */
const mostDeep = 5;
const mostPackages = 5000;
const longestGlob = 256;

/** Maximum total cost of globs: 1 for each folder, and 10 for a listing, which is a process. */
const mostCost = 20_000;
const costOfListing = 10;

const makeExpand = (files: WorkspaceFiles) => {
	let left = mostCost;
	const inside = async (folder: string): Promise<readonly string[]> => {
		left -= costOfListing;
		const folders = left < 0 ? [] : await files.folders(folder);
		const some = folders.slice(0, Math.max(0, left));
		left -= some.length;
		return some.filter(one => !/(?:^|\/)(?:node_modules|\.[^/]*)$/.test(one));
	};

	const expand = async (
		folder: string,
		[step, ...rest]: readonly string[],
	): Promise<readonly string[]> => {
		left -= 1;
		if (left < 0) {
			return [];
		}

		const within = (name: string) => (folder === '' ? name : `${folder}/${name}`);
		if (step === undefined) {
			return folder === '' ? [] : [folder];
		}

		if (step === '**') {
			const isDeep = folder.split('/').length >= mostDeep;
			const below = isDeep ? [] : await inside(folder);
			const found = await Promise.all(below.map(one => expand(one, [step, ...rest])));
			return [...(await expand(folder, rest)), ...found.flat()];
		}

		if (!step.includes('*')) {
			return expand(within(step), rest);
		}

		const below = (await inside(folder)).filter(one => isLike(one.split('/').at(-1) ?? '', step));
		return (await Promise.all(below.map(one => expand(one, rest)))).flat();
	};

	return expand;
};

/** Matches `*` in a name in linear time, by the first occurrence of each part: an agent may choose both. */
const isLike = (name: string, pattern: string): boolean => {
	const [first = '', ...parts] = pattern.split('*');
	const last = parts.pop() ?? '';
	let at = first.length;
	for (const part of parts) {
		const found = name.indexOf(part, at);
		if (found === -1) {
			return false;
		}

		at = found + part.length;
	}

	return name.startsWith(first) && name.endsWith(last) && at + last.length <= name.length;
};
