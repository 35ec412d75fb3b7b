import {decodePath} from '../../lib/text/byte-path.ts';
import type {Store} from '../store/store.ts';
import {contentsOf} from './blobs.ts';
import {type Entry, submoduleMode, symlinkMode} from './entry.ts';

/** Where a link leads that stands in a tree. */
export type Goal = {
	/**
	`git` is a git dir, in the tree or not. `unknown` is what no tree tells: a way up from something that is not in it, or a way without an end.
	*/
	readonly leads: 'inside' | 'outside' | 'git' | 'unknown';
	/** All paths of the tree that the way goes by, each with what stands there. */
	readonly way: ReadonlyMap<string, string>;
};

/**
Returns where all links of a tree lead, by their paths, as a file system would follow them: through other links of it.

Something that the tree lacks may lie in a checkout all the same, as what git ignores does. A link to it is inside; what stands above it there isn't known.
*/
export const goalsOf = async (
	store: Store,
	entries: ReadonlyMap<string, Entry>,
): Promise<ReadonlyMap<string, Goal>> => {
	const links = [...entries].filter(([, {mode}]) => mode === symlinkMode);
	const contents = await contentsOf(store, new Map(links.map(([path, {oid}]) => [path, oid])));
	const texts = new Map([...contents].map(([path, content]) => [path, decodePath(content)]));
	const at = lookIn(entries, texts);
	return new Map(links.map(([path]) => [path, follow(path, at)]));
};

/** What stands at a path of a tree. */
type Found =
	| {readonly kind: 'folder' | 'file' | 'nothing'}
	| {readonly kind: 'link'; readonly text: string};

const lookIn = (
	entries: ReadonlyMap<string, Entry>,
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

/** As many links one after the other as Linux follows. */
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

/** Where a way ends that goes no further than this step. */
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

/** Characters that the file system of macOS passes over in a name. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether a name is that of a git dir on any system, as git itself judges names. */
const isGitDir = (name: string): boolean =>
	/^(?:\.git|git~1)[. ]*(?::.*)?$/i.test(name.replaceAll(ignored, ''));
