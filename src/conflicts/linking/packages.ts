import {posix} from 'node:path';
import {readJsonObject} from '../../lib/text/json.ts';
import type {Import} from '../source/facts.ts';
import type {LanguageName} from '../source/languages.ts';

/** A package in a manifest. */
export type WantedPackage = {
	readonly name: string;
	/** Version as written; empty if there is none. */
	readonly version: string;
	/** Line, counted from 1. */
	readonly line: number;
};

/** The package system of a family of languages. */
export type Ecosystem = {
	readonly languages: readonly LanguageName[];
	/** Paths of its manifests. */
	readonly manifests: RegExp;
	/** Returns the packages in a manifest; `undefined` if it can't be parsed. */
	readonly read: (path: string, lines: readonly string[]) => readonly WantedPackage[] | undefined;
	/** Files that may add packages in a form that is not parsed. */
	readonly unclear?: RegExp;
	/** Returns whether an import belongs to a package. */
	readonly isFrom: (imported: Import, name: string) => boolean;
};

const list = /(?:^|\.)(?:dev-|build-)?dependencies$/;
const single = /(?:^|\.)(?:dev-|build-)?dependencies\.([\w-]+)$/;

const cargo: Ecosystem = {
	languages: ['rust'],
	manifests: /(?:^|\/)Cargo\.toml$/,
	read: (_, lines) =>
		sectionLines(lines).flatMap(({section, text, line}) => {
			const own = single.exec(section)?.[1];
			const said = keyOfLine(text);
			if (own !== undefined) {
				return said?.key === 'version' ? [{name: own, version: said.value, line}] : [];
			}

			return said !== undefined && list.test(section)
				? [{name: said.key, version: versionIn(said.value), line}]
				: [];
		}),
	isFrom: ({module, name}, crate) =>
		(module === '' ? name : module.split('::')[0]) === crate.replaceAll('-', '_'),
};

/** Returns `1.2` of `"1.2"`, or of `{ version = "1.2", … }`. */
const versionIn = (value: string): string =>
	value.startsWith('{') ? (/version\s*=\s*"([^"]*)"/.exec(value)?.[1] ?? '') : value;

const goModules: Ecosystem = {
	languages: ['go'],
	manifests: /(?:^|\/)go\.mod$/,
	read: (_, lines) => {
		const wanted: WantedPackage[] = [];
		let block = '';
		for (const [position, whole] of lines.entries()) {
			const words = whole
				.replace(/\/\/.*$/, '')
				.trim()
				.split(/\s+/);
			const [first = '', second = ''] = words;
			if (second === '(') {
				block = first;
			} else if (first === ')') {
				block = '';
			} else {
				const [verb = '', name = '', version = ''] = block === '' ? words : [block, ...words];
				if (verb === 'require' && version !== '') {
					wanted.push({name, version, line: position + 1});
				}
			}
		}

		return wanted;
	},
	isFrom: ({module}, name) => module === name || module.startsWith(`${name}/`),
};

const pypi: Ecosystem = {
	languages: ['python'],
	manifests: /(?:^|\/)(?:[\w.-]*requirements[\w.-]*\.(?:txt|in)|pyproject\.toml)$/,
	read: (path, lines) => (path.endsWith('.toml') ? projectOf(lines) : requirementsOf(lines)),
	unclear: /(?:^|\/)(?:setup\.(?:py|cfg)|Pipfile|tox\.ini|environment\.ya?ml)$/,
	isFrom: ({module}, name) => plain(module.split('.')[0] ?? '') === plain(name),
};

/** Normalizes a name: case and separators are ignored; the imported module usually has the same name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '_');

const asWanted = (requirement: string, line: number): readonly WantedPackage[] => {
	const form =
		/^(?<name>[A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?<version>[=<>!~^][^;#]*)?(?:[;#@\s]|$)/;
	const {name, version = ''} = form.exec(requirement.trim())?.groups ?? {};
	return name === undefined ? [] : [{name, version: version.trim(), line}];
};

const requirementsOf = (lines: readonly string[]): readonly WantedPackage[] =>
	lines.flatMap((text, position) => asWanted(text, position + 1));

/** Reads lists of quoted requirements, and the tables of Poetry. */
const projectOf = (lines: readonly string[]): readonly WantedPackage[] => {
	let isInList = false;
	return sectionLines(lines).flatMap(({section, text, line}) => {
		if (/^tool\.poetry\.(?:[\w.-]+\.)?(?:dev-)?dependencies$/.test(section)) {
			const said = keyOfLine(text);
			return said === undefined ? [] : [{name: said.key, version: said.value, line}];
		}

		const isListed = /^(?:project\.optional-dependencies|dependency-groups)$/.test(section);
		isInList = section === 'project' && (isInList || /^dependencies\s*=/.test(text));
		const quoted = isListed || isInList ? [...text.matchAll(/"([^"]+)"|'([^']+)'/g)] : [];
		isInList &&= !/\]\s*$/.test(text);
		return quoted.flatMap(([, one, other]) => asWanted(one ?? other ?? '', line));
	});
};

const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

const npm: Ecosystem = {
	languages: ['typescript', 'tsx', 'javascript'],
	manifests: /(?:^|\/)package\.json$/,
	read: (_, lines) => {
		const manifest = readJsonObject(lines.join('\n'));
		const numbers = new Map(lines.map((text, at) => [keyIn(text), at + 1] as const).toReversed());
		return manifest && lists.flatMap(list => wantedIn(manifest[list], numbers));
	},
	isFrom: ({module}, name) => module === name || module.startsWith(`${name}/`),
};

/** Returns the beginning of a line of JSON, up to the end of a key. */
const keyIn = (line: string): string => {
	const text = line.trimStart();
	return text.slice(0, text.indexOf('":') + 1);
};

const wantedIn = (list: unknown, numbers: ReadonlyMap<string, number>): readonly WantedPackage[] =>
	Object.entries(list ?? {}).map(([name, version]) => ({
		name,
		version: typeof version === 'string' ? version : '',
		line: numbers.get(JSON.stringify(name)) ?? 1,
	}));

const ecosystems: readonly Ecosystem[] = [npm, pypi, goModules, cargo];

/** Returns the ecosystem of a manifest, by its path. */
export const ecosystemOf = (path: string): Ecosystem | undefined =>
	ecosystems.find(({manifests}) => manifests.test(path));

/** Returns whether a manifest applies to a file: it is in the same folder or above. */
export const governs = (manifest: string, path: string): boolean => {
	const folder = posix.dirname(manifest);
	return folder === '.' || path.startsWith(`${folder}/`);
};

/** Returns the part of a version that changes with incompatible releases; empty if there is none. */
export const majorOf = (version: string): string => {
	const [, major = '', minor = ''] = /(\d+)(?:\.(\d+))?/.exec(version) ?? [];
	return major === '0' ? `0.${minor}` : major;
};

/** A line of a file, with the `[section]` above it. */
type SectionLine = {readonly section: string; readonly text: string; readonly line: number};

/** Returns the lines of a TOML-like file with their sections, without comments. */
const sectionLines = (lines: readonly string[]): readonly SectionLine[] => {
	const read: SectionLine[] = [];
	let section = '';
	for (const [position, whole] of lines.entries()) {
		const text = whole.replace(/(?:^|\s)#.*$/, '').trim();
		const head = /^\[+([^\]]+)\]+$/.exec(text)?.[1];
		section = head?.trim() ?? section;
		// The header is a line, too: some headers are a package.
		read.push({section, text: head === undefined ? text : '', line: position + 1});
	}

	return read;
};

/** Returns the key of a line such as `serde = "1"` or `serde.workspace = true`, and the text after it. */
const keyOfLine = (text: string): {key: string; value: string} | undefined => {
	const {key, value} = /^"?(?<key>[\w-]+)"?(?:\.\w+)?\s*=\s*(?<value>.*)$/.exec(text)?.groups ?? {};
	return key === undefined || value === undefined ? undefined : {key, value};
};
