import {isAttributesFile} from '../attributes.ts';
import {foldersAbove} from '../disk-path.ts';
import {submoduleMode} from '../entry.ts';
import {splitNul} from '../nul.ts';
import type {GitResult} from '../result.ts';
import {type Place, sealed} from '../sealed.ts';

/** How a worktree differs from its index. */
export type Listing = {
	/** New or edited files and links. */
	readonly changed: ReadonlySet<string>;
	readonly removed: ReadonlySet<string>;
	/** Folders with a repository of their own that the index knows nothing of. */
	readonly nested: readonly string[];
	/** Submodules that the index holds. */
	readonly submodules: ReadonlySet<string>;
	/** Every folder that holds something tracked or new. */
	readonly folders: ReadonlySet<string>;
	/** Whether there is a `.gitattributes`, by which git may convert what it reads. */
	readonly hasAttributes: boolean;
	/** Whether git could look everywhere. */
	readonly isWhole: boolean;
};

/**
Lists a worktree, ignore rules respected, submodules not entered.

Two processes share the work, each on one thread: one looks at what the index holds, and one for what it doesn't.
*/
export const listWorktree = async (place: Place): Promise<Listing> => {
	const [indexed, others] = await Promise.all([
		list(place, ['--stage', '--modified', '--deleted']),
		list(place, ['--others', '--exclude-standard']),
	]);
	const lines = [indexed, others].flatMap(({stdout}) => splitNul(stdout));
	return {...sort(lines), isWhole: others.stderr === ''};
};

const list = (place: Place, options: readonly string[]): Promise<GitResult> =>
	sealed(place, ['ls-files', '-z', '-t', ...options]);

const sort = (lines: readonly string[]): Omit<Listing, 'isWhole'> => {
	const changed = new Set<string>();
	const edited = new Set<string>();
	const removed = new Set<string>();
	const nested: string[] = [];
	const submodules = new Set<string>();
	const folders = new Set<string>();
	let hasAttributes = false;
	for (const line of lines) {
		const {tag, mode, path} = parse(line);
		hasAttributes ||= isAttributesFile(path);
		if (tag === '?' && path.endsWith('/')) {
			nested.push(path.slice(0, -1));
			continue;
		}

		addFolders(folders, path);
		if (tag === 'R') {
			removed.add(path);
		} else if (mode === submoduleMode) {
			submodules.add(path);
		} else if (tag === 'C') {
			edited.add(path);
		} else if (tag === '?') {
			changed.add(path);
		}
	}

	// A tracked file below which something new lies is a folder now.
	for (const path of edited) {
		(folders.has(path) ? removed : changed).add(path);
	}

	for (const path of removed) {
		changed.delete(path);
		submodules.delete(path);
	}

	return {changed, removed, nested, submodules, folders, hasAttributes};
};

/** Reads `? <path>`, or `<tag> <mode> <oid> <stage> TAB <path>`. */
const parse = (line: string): {tag: string; mode: string; path: string} => {
	const tag = line.slice(0, 1);
	if (tag === '?') {
		return {tag, mode: '', path: line.slice(2)};
	}

	return {tag, mode: line.slice(2, 8), path: line.slice(line.indexOf('\t') + 1)};
};

const addFolders = (folders: Set<string>, path: string): void => {
	const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
	if (!folders.has(parent)) {
		folders.add(parent);
		for (const folder of foldersAbove(path)) {
			folders.add(folder);
		}
	}
};
