import {joinNul, splitNul} from '../process/nul.ts';
import {sealed} from '../process/sealed.ts';
import {user} from '../process/user.ts';
import type {Store} from '../store/store.ts';
import {withAttributesOf} from './attributes.ts';

/** The filter of each path that is under one, by path. */
export type FilterNames = ReadonlyMap<string, string>;

/** Returns the filters of paths as the person's git sees them, by their own settings and the attributes in an index. */
export const filtersInIndex = async (
	root: string,
	index: string,
	paths: readonly string[],
): Promise<FilterNames> => {
	const {stdout} = await user(root, ['check-attr', '--cached', '-z', '--stdin', 'filter'], {
		index,
		input: joinNul(paths),
	});
	return namesIn(stdout);
};

/** Returns the filters of paths as the person's git sees them, by their own settings and the attributes in a folder. */
export const filtersInFolder = async (
	{folder, gitDir}: AttributesFolder,
	paths: readonly string[],
): Promise<FilterNames> => {
	const {stdout} = await user(
		folder,
		[...locationOptions({folder, gitDir}), 'check-attr', '-z', '--stdin', 'filter'],
		{input: joinNul(paths)},
	);
	return namesIn(stdout);
};

/** A folder that stands for the person's worktree and holds nothing but `.gitattributes` files. */
export type AttributesFolder = {
	readonly folder: string;
	/** The person's. */
	readonly gitDir: string;
};

/** Returns the words by which git takes such a folder for the worktree. */
export const locationOptions = ({folder, gitDir}: AttributesFolder): readonly string[] => [
	`--git-dir=${gitDir}`,
	`--work-tree=${folder}`,
];

/** Returns the filters of paths by the attributes of a commit or tree, and nothing else. */
export const filtersInTree = (
	store: Store,
	tree: string,
	paths: readonly string[],
): Promise<FilterNames> =>
	withAttributesOf(store, tree, async attributes => {
		const {stdout} = await sealed(attributes, ['check-attr', '-z', '--stdin', 'filter'], {
			input: joinNul(paths),
		});
		return namesIn(stdout);
	});

/** Reads records of a path, the attribute's name and its value; one without a name of its own names no filter. */
const namesIn = (stdout: Buffer): FilterNames => {
	const fields = splitNul(stdout);
	const names = new Map<string, string>();
	for (let position = 0; position + 2 < fields.length; position += 3) {
		const [path = '', , name = ''] = fields.slice(position, position + 3);
		if (!['unspecified', 'unset', 'set'].includes(name)) {
			names.set(path, name);
		}
	}

	return names;
};
