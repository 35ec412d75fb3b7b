import {cleanFilters, type Incoming} from '../../git/filters/clean-filters.ts';
import {withPatience} from '../../git/process/patience.ts';
import {user} from '../../git/process/user.ts';
import {type Change, changes} from '../../git/tree/changes.ts';
import {entriesOf} from '../../git/tree/entry.ts';
import {nameClashes} from '../../git/tree/name-clashes.ts';
import {Failure} from '../../lib/failure.ts';
import {waiting} from '../machine/waiting.ts';
import {findEscapingLinks, touchesLink} from '../worktree/escaping-links.ts';
import type {World} from '../world.ts';

/** A result as it can come into the person's checkout. */
export type Fit = {
	readonly tree: string;
	readonly changes: readonly Change[];
	/** What else is worth a look before it is approved. */
	readonly notes: readonly string[];
};

/**
Makes a result fit for the person's checkout, and tells what a person should know of it that no list of files shows.

Each agent's work was looked at by itself; here it is looked at together, on the target's tip.

@throws `Failure` of kind `refused` when it doesn't fit
*/
export const fitResult = async (
	world: World,
	{tip, tree, changes: raw}: Incoming,
): Promise<Fit> => {
	await requireLinksInside(world, tip, raw);
	const clashes = await clashNotes(world, tree, raw);
	const {repository, store} = world;
	const cleaned = await withPatience({onWait: wait => world.report(waiting(wait))}, () =>
		cleanFilters(repository, store, {tip, tree, changes: raw}),
	);
	const filtered = [...cleaned.filtered].map(
		([path, name]) => `${path} was taken in through your filter ${name}.`,
	);
	return {
		tree: cleaned.tree,
		changes: cleaned.tree === tree ? raw : await changes(store, tip, cleaned.tree),
		notes: [...clashes, ...filtered],
	};
};

const requireLinksInside = async (
	{store}: World,
	tip: string,
	changed: readonly Change[],
): Promise<void> => {
	if (!changed.some(touchesLink)) {
		return;
	}

	const [escaping] = await findEscapingLinks(store, await entriesOf(store, tip), changed);
	if (escaping !== undefined) {
		const by = escaping.by.map(({path}) => path).join(', ');
		throw new Failure(
			'refused',
			`All work together would make ${escaping.link} ${escaping.why}${by === escaping.link ? '' : `, by ${by}`}.`,
			{hint: 'Tell an agent to lead it elsewhere, or take one of them out.'},
		);
	}
};

/** Where the person's file system folds names, one of two such files would overwrite the other. */
const clashNotes = async (
	{store, repository}: World,
	tree: string,
	changed: readonly Change[],
): Promise<readonly string[]> => {
	const added = changed.flatMap(({status, path}) => (status === 'A' ? [path] : []));
	const clashes =
		added.length === 0 ? [] : nameClashes((await entriesOf(store, tree)).keys(), added);
	const [clash] = clashes;
	if (clash !== undefined && (await foldsNames(repository.root))) {
		throw new Failure(
			'refused',
			`${clash.join(' and ')} are one file in your checkout, where case makes no difference.`,
			{hint: 'Tell an agent to take another name.'},
		);
	}

	return clashes.map(
		names => `${names.join(' and ')} are one file where case makes no difference, as on macOS.`,
	);
};

const foldsNames = async (root: string): Promise<boolean> => {
	const {stdout} = await user(root, [
		...['config', '--type=bool', '--default=false', '--get', 'core.ignorecase'],
	]);
	return stdout.toString().trim() === 'true';
};
