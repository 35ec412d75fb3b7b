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

/** What makes a bundle of ours: nothing that is missing, and a first frame in half the time. */
export const plugins: readonly Plugin[] = [withoutDevtools, withStandIns, withoutFetch];
