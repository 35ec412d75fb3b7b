import {Failure} from '../../lib/failure.ts';
import {gitsWords, joinNul, lineOf} from '../process/result.ts';
import {sealed} from '../process/sealed.ts';
import {user} from '../process/user.ts';
import type {Repository} from '../repository/repository.ts';
import type {Store} from '../store/store.ts';
import {contentsOf} from '../tree/blobs.ts';
import type {Change} from '../tree/changes.ts';
import {submoduleMode, symlinkMode} from '../tree/entry.ts';
import {graft} from '../tree/graft.ts';
import {attributeNames, withAttributesOf} from './attributes.ts';
import {type FilterNames, requireFilters} from './missing-filters.ts';

/** A tree to commit on the person's tip, and its changes from the tip. */
export type Incoming = {
	readonly tip: string;
	readonly tree: string;
	readonly changes: readonly Change[];
};

type Cleaned = {
	readonly tree: string;
	/** Paths that went through a filter, each with the filter's name. */
	readonly filtered: FilterNames;
};

type Written = Exclude<Change, {status: 'D'}>;

/**
Runs the files that a tree changes through the person's clean filters, such as that of Git LFS, as their own `git add` would.

Snapshots are taken without filters, since an agent could have set them up. Here only the person's settings name programs, and only the tip's attributes say for which files.

@throws `Failure` of kind `refused` when a filter is missing or fails, or when the tree changes the filter of a file.
*/
export const cleanFilters = async (
	repository: Repository,
	store: Store,
	{tip, tree, changes}: Incoming,
): Promise<Cleaned> => {
	const written = changes.filter(isWritten);
	if (written.length === 0) {
		return {tree, filtered: new Map()};
	}

	await requireSameFilters(store, {tip, tree, changes}, written);
	return withAttributesOf(store, tip, async ({workTree: folder}) => {
		const attributes = {folder, gitDir: repository.gitDir};
		const filtered = await filtersInFolder(
			attributes,
			written.map(({path}) => path),
		);
		if (filtered.size === 0) {
			return {tree, filtered};
		}

		await requireFilters(repository.root, filtered);
		const own = written.filter(({path}) => filtered.has(path));
		const cleaned = await cleanAll(store, attributes, {own, filtered});
		return {tree: await graft(store, {onto: tree, changes: cleaned}), filtered};
	});
};

/** Returns the filters that `cleanFilters` would start, without starting any. */
export const filtersFor = (
	repository: Repository,
	store: Store,
	{tip, changes}: Incoming,
): Promise<FilterNames> =>
	withAttributesOf(store, tip, ({workTree: folder}) =>
		filtersInFolder(
			{folder, gitDir: repository.gitDir},
			changes.filter(isWritten).map(({path}) => path),
		),
	);

const isWritten = (change: Change): change is Written =>
	change.status !== 'D' && ![symlinkMode, submoduleMode].includes(change.new.mode);

const requireSameFilters = async (
	store: Store,
	{tip, tree, changes}: Incoming,
	written: readonly Written[],
): Promise<void> => {
	if (!changes.some(({path}) => /(?:^|\/)\.gitattributes$/.test(path))) {
		return;
	}

	const paths = written.map(({path}) => path);
	const [before, after] = [
		await filtersInTree(store, tip, paths),
		await filtersInTree(store, tree, paths),
	];
	const moved = paths.find(path => before.get(path) !== after.get(path));
	if (moved !== undefined) {
		throw new Failure(
			'refused',
			`The result has ${moved} and puts it under another filter: ${after.get(moved) ?? 'none'} instead of ${before.get(moved) ?? 'none'}.`,
			{
				hint: 'Merge the change to .gitattributes alone first, or make it yourself.',
			},
		);
	}
};

type Cleaning = {readonly own: readonly Written[]; readonly filtered: FilterNames};

const cleanAll = async (
	store: Store,
	attributes: AttributesFolder,
	{own, filtered}: Cleaning,
): Promise<readonly Change[]> => {
	const contents = await contentsOf(store, new Map(own.map(change => [change, change.new.oid])));
	const cleaned: Change[] = [];
	for (const [change, content] of contents) {
		const {path} = change;
		const result = await user(
			attributes.folder,
			[...locationOptions(attributes), 'hash-object', '-w', '--stdin', `--path=${path}`],
			{input: content, expect: 'any'},
		);
		// A filter that isn't required may fail, and git then stores the content unfiltered.
		if (result.code !== 0 || /external filter/.test(result.stderr)) {
			throw new Failure(
				'refused',
				`Your filter ${filtered.get(path)} failed on ${path}: ${gitsWords(result)}`,
				{hint: 'See that the filter works, then try again.'},
			);
		}

		cleaned.push({...change, new: {...change.new, oid: lineOf(result)}});
	}

	return cleaned;
};

/** Returns the filters of paths, by the person's settings and the attributes in an index. */
export const filtersInIndex = async (
	root: string,
	index: string,
	paths: readonly string[],
): Promise<FilterNames> => {
	const {stdout} = await user(root, ['check-attr', '--cached', '-z', '--stdin', 'filter'], {
		index,
		input: joinNul(paths),
	});
	return attributeNames(stdout);
};

/** Returns the filters of paths, by the person's settings and the attributes in a folder. */
const filtersInFolder = async (
	{folder, gitDir}: AttributesFolder,
	paths: readonly string[],
): Promise<FilterNames> => {
	const {stdout} = await user(
		folder,
		[...locationOptions({folder, gitDir}), 'check-attr', '-z', '--stdin', 'filter'],
		{input: joinNul(paths)},
	);
	return attributeNames(stdout);
};

/** A worktree that holds nothing but `.gitattributes` files. */
type AttributesFolder = {
	readonly folder: string;
	readonly gitDir: string;
};

const locationOptions = ({folder, gitDir}: AttributesFolder): readonly string[] => [
	`--git-dir=${gitDir}`,
	`--work-tree=${folder}`,
];

/** Returns the filters of paths, by the attributes of a commit or tree alone. */
const filtersInTree = (
	store: Store,
	tree: string,
	paths: readonly string[],
): Promise<FilterNames> =>
	withAttributesOf(store, tree, async attributes => {
		const {stdout} = await sealed(attributes, ['check-attr', '-z', '--stdin', 'filter'], {
			input: joinNul(paths),
		});
		return attributeNames(stdout);
	});
