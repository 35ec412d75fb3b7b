import promises from 'node:fs/promises';
import {join} from 'node:path';
import type {Plugin} from 'rolldown';

/** Ink imports these tools when they are installed; in a bundle they must be there, or be nothing. */
const withoutDevtools: Plugin = {
	name: 'without-devtools',
	resolveId: id => (id === 'react-devtools-core' ? '\0nothing' : undefined),
	load: id => (id === '\0nothing' ? 'export default {}' : undefined),
};

const standIns: Readonly<Record<string, string>> = {
	'string-width': join(import.meta.dirname, 'string-width.ts'),
	'@alcalzone/ansi-tokenize': join(import.meta.dirname, 'ansi-tokenize.ts'),
};

/** Two libraries are called for every character of a frame; faster ones that do the same stand in for them. */
const withStandIns: Plugin = {
	name: 'with-stand-ins',
	resolveId: (id, importer) => (importer === standIns[id] ? undefined : standIns[id]),
};

const fetched = '"function"!=typeof fetch';

/** Yoga reads its own WebAssembly by `fetch` where there is one, which in Node.js loads a whole HTTP client; without, it decodes it itself. */
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

/** A table of characters, as libraries make it as soon as they are loaded: with graphemes, or of all emoji. */
const table = /^const (\w+) = (new Intl\.Segmenter\(.*\)|(\/\^\\p\{RGI_Emoji\}\$\/v));$/gm;

/** The first table of a kind takes as long as all else that a short command does, and hardly any text needs one: each is made with its first use. */
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

/** What the entry of a library takes from its other files. */
const takenFrom = /^var (\w+) = (require\('.+'\));$/gm;
const handedOn = /^exports\.(\w+) = (\w+)(\.\w+)?;$/gm;

/** Two libraries that most commands import and few call: their files are evaluated with the first use of what is in them. */
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

/** An import of one of Node.js's own modules: all of it, once or twice, and names. */
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

/** Takes Node.js's own modules without importing them: for an import it reads every property of the module, and with those of `node:process` and `node:util` that are getters it loads half of Node.js. */
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

/** Writes a function that stands for one which is looked up with each call. */
const lateCall = (taken: string): string =>
	`function(...words){return new.target?new (${taken})(...words):${taken}(...words)}`;

/** Writes what is beyond ASCII as escapes: V8 keeps a source of ASCII alone in one byte a character, and needs not decode it. */
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

/** What makes a bundle of ours: nothing that is missing, and a first frame in half the time. */
export const plugins: readonly Plugin[] = [
	withoutDevtools,
	withStandIns,
	withoutFetch,
	withLazyTables,
	withLateLibraries,
	withoutImportsOfNode,
	inAscii,
];
