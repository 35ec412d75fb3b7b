import {decodePath} from '../../lib/text/byte-path.ts';
import type {Store} from '../store/store.ts';
import {contentsOf} from './blobs.ts';
import {submoduleMode, symlinkMode} from './entry.ts';
import type {EntriesByPath} from './listing.ts';

export type Goal = {
	/** `git`: a git dir, in the tree or not; `unknown`: the tree can't tell, for example for `..` from a path that isn't in it, or for a loop. */
	readonly leads: 'inside' | 'outside' | 'git' | 'unknown';
	/** All paths on the way, each with its kind. */
	readonly way: ReadonlyMap<string, string>;
};

/**
Resolves all symbolic links of a tree as a file system would, through other links of it.

A path that the tree lacks may exist in a checkout, as ignored files do: a link to it is `inside`.
*/
export const goalsOf = async (
	store: Store,
	entries: EntriesByPath,
): Promise<ReadonlyMap<string, Goal>> => {
	const links = [...entries].filter(([, {mode}]) => mode === symlinkMode);
	const contents = await contentsOf(store, new Map(links.map(([path, {oid}]) => [path, oid])));
	const texts = new Map([...contents].map(([path, content]) => [path, decodePath(content)]));
	const at = lookIn(entries, texts);
	return new Map(links.map(([path]) => [path, follow(path, at)]));
};

type Found =
	| {readonly kind: 'folder' | 'file' | 'nothing'}
	| {readonly kind: 'link'; readonly text: string};

const lookIn = (
	entries: EntriesByPath,
	texts: ReadonlyMap<string, string>,
): ((path: string) => Found) => {
	const folders = new Set(['']);
	for (const path of entries.keys()) {
		for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
			const folder = path.slice(0, end);
			if (folders.has(folder)) {
				break;
			}

			folders.add(folder);
		}
	}

	return path => {
		const text = texts.get(path);
		if (text !== undefined) {
			return {kind: 'link', text};
		}

		const mode = entries.get(path)?.mode;
		if (mode !== undefined) {
			return {kind: mode === submoduleMode ? 'nothing' : 'file'};
		}

		return {kind: folders.has(path) ? 'folder' : 'nothing'};
	};
};

/** Maximum number of links to follow in a row, as in Linux. */
const maximumLinks = 40;

const follow = (link: string, at: (path: string) => Found): Goal => {
	const way = new Map<string, string>();
	const steps = link.split('/').toReversed();
	let reached = '';
	let isFolder = true;
	let links = 0;
	for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
		if (step === '' || step === '.') {
			continue;
		}

		if (step === '..') {
			if (!isFolder || reached === '') {
				return {leads: isFolder ? 'outside' : 'unknown', way};
			}

			reached = parentOf(reached);
			continue;
		}

		const next = reached === '' ? step : `${reached}/${step}`;
		const found = at(next);
		way.set(next, found.kind === 'link' ? `link ${found.text}` : found.kind);
		const leads = endAt(step, found, links);
		if (leads !== undefined) {
			return {leads, way};
		}

		if (found.kind === 'link') {
			links += 1;
			steps.push(...found.text.split('/').toReversed());
		} else {
			reached = next;
			isFolder = found.kind === 'folder';
		}
	}

	return {leads: 'inside', way};
};

const endAt = (step: string, found: Found, links: number): Goal['leads'] | undefined => {
	if (isGitDir(step)) {
		return 'git';
	}

	if (found.kind !== 'link') {
		return undefined;
	}

	if (found.text.startsWith('/')) {
		return 'outside';
	}

	return links === maximumLinks ? 'unknown' : undefined;
};

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Characters that HFS+ ignores in names. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Returns whether git refuses a name because it is a git dir's on some system. */
const isGitDir = (name: string): boolean =>
	/^(?:\.git|git~1)[. ]*(?::.*)?$/i.test(name.replaceAll(ignored, ''));
