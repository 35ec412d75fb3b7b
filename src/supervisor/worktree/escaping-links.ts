import type {SurfaceChange} from '../../events/finding.ts';
import type {Store} from '../../git/store/store.ts';
import {contentsOf} from '../../git/tree/blobs.ts';
import type {Change} from '../../git/tree/changes.ts';
import {type Entry, symlinkMode} from '../../git/tree/entry.ts';
import {type Goal, goalsOf} from '../../git/tree/link-goals.ts';
import type {EntriesByPath} from '../../git/tree/listing.ts';
import {decodePath} from '../../lib/text/byte-path.ts';
import {shortOid} from '../../lib/text/words.ts';
import {type PlanCommands, type Surfacing, surfacings} from '../../rules/runs-by-itself.ts';

/** A link that changes make lead out of the tree or into a git directory. */
export type EscapingLink = {
	readonly link: string;
	readonly why: string;
	/** Changes that redirect it: its own, or those of the links on its path. */
	readonly by: readonly Change[];
};

/**
Returns the links that lead out of a tree, or into a git directory, because of changes.

A merge through such a link would write someone else's file. The target of a link depends on other links: a new link can redirect an old one, and each of two can be harmless alone. Links that led out before the changes are the person's own.

@param before the tree without the changes
*/
export const findEscapingLinks = async (
	store: Store,
	before: EntriesByPath,
	changed: readonly Change[],
): Promise<readonly EscapingLink[]> => {
	if (!changed.some(touchesLink)) {
		return [];
	}

	const [old, now] = await Promise.all([
		goalsOf(store, before),
		goalsOf(store, withChanges(before, changed)),
	]);
	return [...now].flatMap(([link, goal]): readonly EscapingLink[] => {
		const why = whyEscaping(goal);
		if (why === undefined) {
			return [];
		}

		const own = changed.filter(({path}) => path === link);
		const by = own.length > 0 ? own : turning(changed, old.get(link), goal);
		return by.length > 0 && (own.length > 0 || goal.leads !== 'unknown') ? [{link, why, by}] : [];
	});
};

/** Returns whether a change adds or removes a link; without one, no path resolves elsewhere. */
export const touchesLink = (change: Change): boolean =>
	(change.status !== 'A' && change.old.mode === symlinkMode) ||
	(change.status !== 'D' && change.new.mode === symlinkMode);

const withChanges = (
	before: EntriesByPath,
	changed: readonly Change[],
): ReadonlyMap<string, Entry> => {
	const entries = new Map(before);
	for (const {path} of changed) {
		entries.delete(path);
	}

	for (const change of changed) {
		if (change.status !== 'D') {
			entries.set(change.path, change.new);
		}
	}

	return entries;
};

const whyEscaping = ({leads}: Goal): string | undefined => {
	switch (leads) {
		case 'inside':
			return undefined;
		case 'outside':
			return 'a link that leads out of the worktree';
		case 'git':
			return 'a link that leads into a git dir';
		case 'unknown':
			return 'a link whose target can’t be resolved';
	}
};

/** Returns the changes on the path of an old link, or below or above it. */
const turning = (
	changed: readonly Change[],
	old: Goal | undefined,
	now: Goal,
): readonly Change[] => {
	const passed = [...now.way].filter(([at, found]) => old?.way.get(at) !== found);
	return changed.filter(({path}) =>
		passed.some(([at]) => path === at || path.startsWith(`${at}/`)),
	);
};

/** Returns the reasons why a change belongs to the surface. */
export const surfacingsOf = (change: Change, commands: PlanCommands): readonly Surfacing[] =>
	surfacings(
		{
			path: change.path,
			before: 'old' in change ? change.old.mode : undefined,
			after: 'new' in change ? change.new.mode : undefined,
		},
		commands,
	);

/** Returns the surface of some changes, in the order of paths: files that run by themselves or redirect paths, and look like any other in a list. */
export const surfaceIn = async (
	store: Store,
	changed: readonly Change[],
	commands: PlanCommands,
): Promise<readonly SurfaceChange[]> => {
	const found = changed.flatMap(change =>
		surfacingsOf(change, commands).map(surfacing => ({
			path: change.path,
			oid: 'new' in change ? change.new.oid : '',
			surfacing,
		})),
	);
	const links = found.filter(({surfacing}) => surfacing.as === 'link');
	const goals = await contentsOf(store, new Map(links.map(link => [link, link.oid])));
	return found.map(one => {
		const goal = goals.get(one);
		return {
			path: one.path,
			as: one.surfacing.as,
			what: goal === undefined ? wordsOf(one.surfacing, one.oid) : decodePath(goal),
		};
	});
};

const wordsOf = (surfacing: Surfacing, oid: string): string =>
	surfacing.as === 'runs' ? surfacing.what : shortOid(oid);
