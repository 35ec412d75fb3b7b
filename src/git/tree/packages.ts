import {isMap, isScalar, isSeq} from 'yaml';
import {compileGlob} from '../../lib/glob.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {createYamlParser} from '../../lib/text/yaml-document.ts';
import {isObject} from '../../lib/values.ts';
import type {WorkspacePackage} from '../../lib/workspace.ts';
import type {GitLocation} from '../process/sealed.ts';
import {blobSizes, contentsOf} from './blobs.ts';
import {entriesAt} from './entry.ts';
import {type EntriesByPath, entriesOf, type TreeEntries} from './listing.ts';

/** Returns the packages of the workspaces in a tree: their members, and the root if it is a package; none if git can't read it. */
export const packagesIn = async (
	store: GitLocation,
	tree: string,
): Promise<readonly WorkspacePackage[]> => {
	const kinds = Object.entries(tools) as readonly [WorkspacePackage['of'], Tool][];
	const found = async () => {
		const paths = kinds.map(([, {root}]) => root);
		const roots = await textsIn(store, await entriesAt(store, tree, paths), paths);
		return Promise.all(
			kinds.map(async ([of, {root, members, manifest, describe}]) => {
				const globs = members(roots.get(root) ?? '').filter(glob => glob !== '');
				if (globs.length === 0) {
					return [];
				}

				const entries = await entriesOf(store, tree);
				const texts = await textsIn(store, entries, manifestsIn(entries, manifest, globs));
				return [...texts].flatMap(([path, text]) => {
					const said = describe(text);
					const folder = path.slice(0, -manifest.length - 1);
					return said === undefined ? [] : [{of, folder, ...said}];
				});
			}),
		);
	};
	return (await found().catch(() => [])).flat();
};

/** Returns the texts of those files that exist, by path. */
const textsIn = async (
	store: GitLocation,
	entries: Pick<EntriesByPath, 'get'>,
	paths: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
	const oids = paths.flatMap((path): [string, string][] => {
		const entry = entries.get(path);
		return entry?.mode.startsWith('100') ? [[path, entry.oid]] : [];
	});
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
};

/** Returns the paths of the manifests in the root and in the folders that globs name, without those that globs with `!` leave out. */
const manifestsIn = (
	entries: TreeEntries,
	manifest: string,
	globs: readonly string[],
): readonly string[] => {
	const below = [...entries.containing(`/${manifest}`)].map(([path]) => path);
	const all = new Set([manifest, ...below.filter(path => path.endsWith(`/${manifest}`))]);
	let costLeft = mostCost;
	const named = (glob: string): readonly string[] => {
		const steps = [...glob.split('/').filter(step => step !== '' && step !== '.'), manifest];
		const path = steps.join('/');
		if (all.has(path)) {
			return [path];
		}

		costLeft -= all.size + costOfGlob;
		const isNamed = costLeft < 0 ? undefined : compileGlob(path, 'under');
		const matching =
			isNamed === undefined ? [] : [...all].map(one => one.split('/')).filter(isNamed);
		return matching
			.filter(names => names.every(name => !isForeign.test(name) || steps.includes(name)))
			.map(names => names.join('/'));
	};

	const relative = globs.filter(glob => !glob.startsWith('/'));
	const {left = [], taken = []} = Object.groupBy(relative, glob =>
		glob.startsWith('!') ? 'left' : 'taken',
	);
	const without = new Set(left.flatMap(glob => named(glob.slice(1))));
	const found = new Set([manifest, ...taken.flatMap(named)]);
	return [...found].filter(path => !without.has(path)).slice(0, mostPackages);
};

/** Matches names that `*` doesn't stand for. */
const isForeign = /^(?:node_modules$|\.)/;

/** Maximum total cost of an agent's globs: 1 for each manifest that one is compared with, and some for compiling it. */
const mostCost = 50_000;
const costOfGlob = 250;

/** Maximum sizes of manifests: an agent may write them, and the supervisor's main thread parses them. */
const mostBytes = 262_144;
const mostBytesTogether = 32 * 1_048_576;
const mostYamlParts = 20_000;

/** Maximum depth of nested values, and maximum number of packages. */
const mostDeep = 5;
const mostPackages = 5000;

type Tool = {
	/** File at the root that names the members. */
	readonly root: string;
	/** Returns the folders that it names, as globs; one that begins with `!` leaves folders out. */
	readonly members: (text: string) => readonly string[];
	/** File name of each member's manifest. */
	readonly manifest: string;
	readonly describe: (text: string) => Pick<WorkspacePackage, 'name' | 'entries'> | undefined;
};

const named = (name: string | undefined, entries: readonly string[] = []) =>
	name === undefined ? undefined : {name, entries};

const quotedIn = (list = ''): readonly string[] =>
	[...list.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, one = '', other]) => other ?? one);

/** Returns the strings of a list in a table of a TOML file. */
const tomlList = (text: string, table: string, key: string): readonly string[] => {
	const section = `^\\[${table}\\](?:(?!^\\[)[\\s\\S])*?^${key}\\s*=\\s*\\[([^\\][]*)\\]`;
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

const uvWorkspace = String.raw`tool\.uv\.workspace`;

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
		// The root's dependencies by path are members as well; `exclude` leaves out all below a folder.
		members: text =>
			/^\[workspace\]/m.test(text)
				? [
						...tomlList(text, 'workspace', 'members'),
						...[...text.matchAll(/\bpath\s*=\s*["']([^"']+)/g)].map(([, path = '']) => path),
						...tomlList(text, 'workspace', 'exclude').map(path => `!${path}/**`),
					]
				: [],
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
		members: text => [
			...tomlList(text, uvWorkspace, 'members'),
			...tomlList(text, uvWorkspace, 'exclude').map(glob => `!${glob}`),
		],
		manifest: 'pyproject.toml',
		describe: text => named(tomlName(text, 'project')),
	},
} satisfies Readonly<Record<WorkspacePackage['of'], Tool>>;
