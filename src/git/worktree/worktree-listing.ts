import {isAttributesFile} from '../filters/attributes.ts';
import {splitNul} from '../process/nul.ts';
import type {GitResult} from '../process/result.ts';
import {type GitLocation, sealed} from '../process/sealed.ts';
import {foldersAbove} from '../tree/disk-path.ts';
import {submoduleMode} from '../tree/entry.ts';

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
export const listWorktree = async (location: GitLocation): Promise<Listing> => {
	const found = nothingYet();
	// What takes longer is started first, and one is sorted while the other one is still at work.
	const [{stderr}] = await Promise.all([
		list(location, ['--others', '--exclude-standard'], found),
		list(location, ['--stage', '--modified', '--deleted'], found),
	]);
	return {...settled(found), isWhole: stderr === ''};
};

const list = async (
	location: GitLocation,
	options: readonly string[],
	found: Found,
): Promise<GitResult> => {
	const result = await sealed(location, ['ls-files', '-z', '-t', ...options]);
	for (const line of splitNul(result.stdout)) {
		sort(line, found);
	}

	return result;
};

/** What was read so far; `edited` are tracked files, or what became of them. */
type Found = ReturnType<typeof nothingYet>;

const nothingYet = () => ({
	changed: new Set<string>(),
	edited: new Set<string>(),
	removed: new Set<string>(),
	nested: [] as string[],
	submodules: new Set<string>(),
	folders: new Set<string>(),
	hasAttributes: false,
});

const sort = (line: string, found: Found): void => {
	const {tag, mode, path} = parse(line);
	found.hasAttributes ||= isAttributesFile(path);
	if (tag === '?' && path.endsWith('/')) {
		found.nested.push(path.slice(0, -1));
		return;
	}

	addFolders(found.folders, path);
	if (tag === 'R') {
		found.removed.add(path);
	} else if (mode === submoduleMode) {
		found.submodules.add(path);
	} else if (tag === 'C') {
		found.edited.add(path);
	} else if (tag === '?') {
		found.changed.add(path);
	}
};

const settled = ({edited, ...found}: Found): Omit<Listing, 'isWhole'> => {
	const {changed, removed, submodules, folders} = found;
	// A tracked file below which something new lies is a folder now.
	for (const path of edited) {
		(folders.has(path) ? removed : changed).add(path);
	}

	for (const path of removed) {
		changed.delete(path);
		submodules.delete(path);
	}

	return found;
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
