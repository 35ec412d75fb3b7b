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

/** What `string-width` makes as soon as it is loaded, and the same made with its first use. */
const lazily: Readonly<Record<string, string>> = {
	'const segmenter = new Intl.Segmenter();':
		'let segments; const segmenter = {segment: text => (segments ??= new Intl.Segmenter()).segment(text)};',
	'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;':
		"let emoji; const rgiEmojiRegex = {test: text => (emoji ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text)};",
};

/** The tables behind these take a fifth of the time of a short command, and hardly any text needs them. */
const withLazyTables: Plugin = {
	name: 'with-lazy-tables',
	transform: (code, id) => {
		if (!id.endsWith('/string-width/index.js')) {
			return undefined;
		}

		return Object.entries(lazily).reduce((made, [eager, lazy]) => {
			if (!made.includes(eager)) {
				throw new Error(`This version of string-width has no "${eager}".`);
			}

			return made.replace(eager, () => lazy);
		}, code);
	},
};

/** An import of one of Node.js's own modules: all of it, once or twice, and names. */
const ofNode =
	/\bimport\s*(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)|\{([^}]*)\})?\s*from\s*"(node:[\w/]+)"/g;

/** Takes Node.js's own modules without importing them: for an import it reads every property of the module, and with those of `node:process` and `node:util` that are getters it loads half of Node.js. */
const withoutImportsOfNode: Plugin = {
	name: 'without-imports-of-node',
	renderChunk: code =>
		code.replaceAll(ofNode, (_, whole, all, names, id) => {
			const [first, ...others] = [whole, all, names && `{${names.replaceAll(' as ', ':')}}`].filter(
				part => part !== undefined,
			);
			return `const ${[`${first}=globalThis.process.getBuiltinModule("${id}")`, ...others.map(other => `${other}=${first}`)].join()}`;
		}),
};

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
	withoutImportsOfNode,
	inAscii,
];
