import {randomUUID} from 'node:crypto';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {decodePath} from '../../../lib/text/byte-path.ts';
import {offerEntries, withTemporaryIndex} from '../../index-entries.ts';
import {joinNul, splitNul} from '../../process/result.ts';
import {sealed, type WorktreeLocation} from '../../process/sealed.ts';
import type {Store} from '../../store/store.ts';
import {diskPath, isBelowFolders} from '../../tree/disk-path.ts';
import {type Entry, submoduleMode} from '../../tree/entry.ts';
import {entriesOf} from '../../tree/listing.ts';
import {ignoredIn, withWorktree} from '../open-worktree.ts';

/** Work in a worktree that is not in its tree. */
export type UnseenWork = {
	/** Folders with their own repository, '' for the top: their files are in the tree, their history isn't. */
	readonly repositories: readonly string[];
	/** Files that only rules of the agent ignore. */
	readonly hidden: readonly string[];
};

export type UnseenWorkParts = {
	/** The agent's worktree. */
	readonly tree: string;
	/** Its current tree. */
	readonly now: string;
	/** Tree whose ignore rules count. */
	readonly rules: string;
};

/**
Finds work in an agent's worktree that no snapshot would contain.

It puts the rules of an earlier tree into the index under a random name, which git is told to use instead of `.gitignore`: so rules that the agent changed since don't count.

@throws `Failure` when git can't read everything.
*/
export const findUnseenWork = (
	store: Store,
	{tree, now, rules}: UnseenWorkParts,
): Promise<UnseenWork> =>
	withWorktree(tree, async workTree => {
		const look = {store, workTree, rules: await rulesOf(store, rules, workTree)};
		return {
			repositories: await withoutIgnored(look, await repositoriesIn(workTree), rules),
			hidden: await hiddenIn(look, now),
		};
	});

/**
Finds the files that only rules of the agent hide.

@throws `Failure` when git can't read everything.
*/
export const findHidden = (
	store: Store,
	{tree, now, rules}: UnseenWorkParts,
): Promise<readonly string[]> =>
	withWorktree(tree, async workTree => {
		const look = {store, workTree, rules: await rulesOf(store, rules, workTree)};
		const paths = (await hiddenIn(look, now)).filter(path => !path.endsWith('/'));
		const ignored = await ignoredIn({...store, workTree}, paths);
		return paths.filter(path => ignored.has(path));
	});

type Look = {
	readonly store: Store;
	readonly workTree: string;
	readonly rules: Rules;
};

/** Ignore files by folder, with a trailing slash except for the top. */
type Rules = ReadonlyMap<string, Entry>;

/** Returns the rules of a tree; those of a folder that was replaced match nothing. */
const rulesOf = async (store: Store, tree: string, workTree: string): Promise<Rules> => {
	const rules = new Map<string, Entry>();
	for (const [path, entry] of (await entriesOf(store, tree)).containing('.gitignore')) {
		const isRules = /(?:^|\/)\.gitignore$/.test(path) && entry.mode.startsWith('100');
		if (isRules && (await isBelowFolders(workTree, path))) {
			rules.set(path.slice(0, -'.gitignore'.length), entry);
		}
	}

	return rules;
};

/** Returns the folders below with a `.git` folder; a `.git` file leads to a repository elsewhere. */
const repositoriesIn = async (root: string, folder = ''): Promise<readonly string[]> => {
	const prefix = folder === '' ? '' : `${folder}/`;
	const entries = await readdir(diskPath(root, folder), {withFileTypes: true, encoding: 'buffer'});
	const names = entries.filter(entry => entry.isDirectory()).map(({name}) => decodePath(name));
	const found = names.some(isGitFolder) ? [folder] : [];
	for (const name of names.filter(one => !isGitFolder(one))) {
		found.push(...(await repositoriesIn(root, `${prefix}${name}`)));
	}

	return found;
};

/** Compares in lower case: a file system may ignore case. */
const isGitFolder = (name: string): boolean => name.toLowerCase() === '.git';

/** Drops ignored repositories, and those inside others. The top, and folders with tracked rules, are not ignored. */
const withoutIgnored = async (
	look: Look,
	folders: readonly string[],
	oid: string,
): Promise<readonly string[]> => {
	const outer = folders.filter(
		folder => !folders.some(other => other !== '' && folder.startsWith(`${other}/`)),
	);
	const asked = outer.filter(
		folder => folder !== '' && ![...look.rules.keys()].some(one => one.startsWith(`${folder}/`)),
	);
	if (asked.length === 0) {
		return outer;
	}

	const ignored = await withRules(look, async (location, options) => {
		// Git treats an entry with this mode as a folder, and takes any id.
		await offerEntries(
			location,
			asked.map(folder => [folder, {mode: submoduleMode, oid}]),
		);
		return list(location, ['--cached', '--ignored', ...options]);
	});
	return outer.filter(folder => !ignored.has(folder));
};

const hiddenIn = async (look: Look, now: string): Promise<readonly string[]> => {
	const others = await withRules(
		look,
		(location, options) => list(location, ['--others', ...options]),
		now,
	);
	return [...others];
};

/** Lends an index with a tree and the rules, and the options that apply them. */
const withRules = <Result>(
	{store, workTree, rules}: Look,
	use: (location: WorktreeLocation, options: readonly string[]) => Promise<Result>,
	tree?: string,
): Promise<Result> =>
	withTemporaryIndex(store, async index => {
		const location = {...store, workTree, index};
		const name = `.delegate-rules-${randomUUID()}`;
		await sealed(location, ['read-tree', ...(tree === undefined ? ['--empty'] : [tree])]);
		await layIn(
			location,
			[...rules].map(([folder, entry]) => [`${folder}${name}`, entry]),
		);
		return use(location, [
			`--exclude-per-directory=${name}`,
			`--exclude-from=${join(store.gitDir, 'info/exclude')}`,
		]);
	});

/** Puts ignore files into the index: with `--skip-worktree` git reads them from there. */
const layIn = async (
	location: WorktreeLocation,
	files: readonly (readonly [string, Entry])[],
): Promise<void> => {
	await offerEntries(location, files);
	await sealed(location, ['update-index', '--skip-worktree', '-z', '--stdin'], {
		input: joinNul(files.map(([path]) => path)),
	});
};

const list = async (
	location: WorktreeLocation,
	options: readonly string[],
): Promise<ReadonlySet<string>> => {
	const {stdout} = await sealed(location, ['ls-files', '-z', ...options]);
	return new Set(splitNul(stdout));
};
