import promises from 'node:fs/promises';
import {join} from 'node:path';
import type {Plugin} from 'rolldown';

/** Replaces the devtools by an empty module: Ink imports them if they are installed, but a bundle can't leave that open. */
const withoutDevtools: Plugin = {
	name: 'without-devtools',
	resolveId: id => (id === 'react-devtools-core' ? '\0nothing' : undefined),
	load: id => (id === '\0nothing' ? 'export default {}' : undefined),
};

const standIns: Readonly<Record<string, string>> = {
	'string-width': join(import.meta.dirname, 'string-width.ts'),
	'./output.js': join(import.meta.dirname, 'output.ts'),
};

const isOfInk = (id = ''): boolean => id.includes('/ink/build/');

/** Replaces two modules that run for every character of a frame by faster ones, of those beside a module only Ink's. */
const withStandIns: Plugin = {
	name: 'with-stand-ins',
	resolveId: (id, importer) =>
		importer === standIns[id] || (id.startsWith('.') && !isOfInk(importer))
			? undefined
			: standIns[id],
	buildEnd() {
		const ids = [...this.getModuleIds()];
		const unused = Object.values(standIns).filter(file => !ids.includes(file));
		if (ids.some(isOfInk) && unused.length > 0) {
			throw new Error(`This version of Ink doesn't import what ${unused.join()} replaces.`);
		}
	},
};

const fetched = '"function"!=typeof fetch';

/** Keeps Yoga from loading its WebAssembly with `fetch`, which in Node.js loads a whole HTTP client; without it, it decodes the code itself. */
const withoutFetch: Plugin = {
	name: 'without-fetch',
	transform: (code, id) => {
		if (!id.endsWith('yoga-wasm-base64-esm.js')) {
			return undefined;
		}

		if (!code.includes(fetched)) {
			throw new Error('This version of yoga-layout loads its WebAssembly in another way.');
		}

		return code.replace(fetched, 'true');
	},
};

/** Matches a table of characters that libraries make when they are loaded: of graphemes, or of all emoji. */
const table = /^const (\w+) = (new Intl\.Segmenter\(.*\)|(\/\^\\p\{RGI_Emoji\}\$\/v));$/gm;

/** Makes such tables lazily: the first one of a kind takes as long as all other work of a short command, and hardly any text needs one. */
const withLazyTables: Plugin = {
	name: 'with-lazy-tables',
	transform: (code, id) =>
		id.includes('node_modules')
			? code.replaceAll(table, (_, name, made, isPattern) => {
					const use = isPattern ? 'test' : 'segment';
					return `let ${name}$; const ${name} = {${use}: text => (${name}$ ??= ${made}).${use}(text)};`;
				})
			: undefined,
};

/** Matches the imports of a library's entry from its other files. */
const takenFrom = /^var (\w+) = (require\('.+'\));$/gm;
const handedOn = /^exports\.(\w+) = (\w+)(\.\w+)?;$/gm;

/** Evaluates two libraries lazily, which most commands import and few call. */
const withLateLibraries: Plugin = {
	name: 'with-late-libraries',
	transform: (code, id) => {
		if (id.endsWith('/yaml/dist/index.js')) {
			return code
				.replaceAll(takenFrom, 'const $1 = () => $2;')
				.replaceAll(
					handedOn,
					'Object.defineProperty(exports, "$1", {enumerable: true, get: () => $2()$3});',
				);
		}

		return id.endsWith('/picomatch/posix.js')
			? "const all = () => require('./lib/picomatch'); module.exports = new Proxy(() => {}, {apply: (_, of, words) => all()(...words), get: (_, name) => all()[name]});"
			: undefined;
	},
};

/** Matches an import of one of Node.js's own modules: default, namespace and names. */
const ofNode =
	/\bimport\s*(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)|\{([^}]*)\})?\s*from\s*"(node:[\w/]+)"/g;

/** Functions and classes of modules that take Node.js milliseconds to load, and that many commands import and few call. */
const late: Readonly<Record<string, readonly string[]>> = {
	'node:child_process': ['execFileSync', 'fork', 'spawn', 'spawnSync'],
	'node:crypto': ['createHash', 'randomBytes', 'randomUUID', 'timingSafeEqual'],
	'node:fs/promises': Object.keys(promises),
	'node:net': ['connect', 'createConnection', 'createServer'],
	'node:sqlite': ['DatabaseSync'],
	'node:zlib': ['crc32'],
};

/** Replaces imports of Node.js's own modules: for an import Node.js reads every property of the module, and the getters of `node:process` and `node:util` load half of Node.js. */
const withoutImportsOfNode: Plugin = {
	name: 'without-imports-of-node',
	renderChunk: code =>
		code.replaceAll(ofNode, (_, whole, all, names: string | undefined, id: string) => {
			const taken = `globalThis.process.getBuiltinModule("${id}")`;
			const {true: called = [], false: read = []} = Object.groupBy(
				(names?.split(',') ?? []).map(part => part.trim().split(' as ')),
				([name = '']) => `${late[id]?.includes(name) ?? false}`,
			);
			const [first, ...others] = [
				...[whole, all].filter(part => part !== undefined),
				...(read.length > 0 ? [`{${read.map(part => part.join(':')).join()}}`] : []),
			];
			return [
				...(first === undefined ? [] : [`${first}=${taken}`]),
				...others.map(other => `${other}=${first}`),
				...called.map(([name, own = name]) => `${own}=${lateCall(`${taken}.${name}`)}`),
			]
				.map(part => `const ${part}`)
				.join(';');
		}),
};

/** Returns the code of a function that looks another one up with each call. */
const lateCall = (taken: string): string =>
	`function(...words){return new.target?new (${taken})(...words):${taken}(...words)}`;

/** Writes non-ASCII characters as escapes: V8 stores an ASCII source with one byte per character, without decoding. */
const inAscii: Plugin = {
	name: 'in-ascii',
	generateBundle: (_, files) => {
		for (const file of Object.values(files)) {
			if (file.type === 'chunk') {
				file.code = file.code.replaceAll(
					/[^\0-\x7f]/g,
					unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
				);
			}
		}
	},
};

/** Plugins of our bundle: no missing modules, and a first frame in half the time. */
export const plugins: readonly Plugin[] = [
	withoutDevtools,
	withStandIns,
	withoutFetch,
	withLazyTables,
	withLateLibraries,
	withoutImportsOfNode,
	inAscii,
];
