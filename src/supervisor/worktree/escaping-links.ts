import type {SurfaceChange} from '../../events/finding.ts';
import type {Store} from '../../git/store/store.ts';
import {contentsOf} from '../../git/tree/blobs.ts';
import type {Change} from '../../git/tree/changes.ts';
import {type Entry, symlinkMode} from '../../git/tree/entry.ts';
import {type Goal, goalsOf} from '../../git/tree/link-goals.ts';
import {decodePath} from '../../lib/text/byte-path.ts';
import {shortOid} from '../../lib/text/words.ts';
import {type PlanCommands, type Surfacing, surfacings} from '../../rules/runs-by-itself.ts';

/** A link that changes make lead where none may. */
export type EscapingLink = {
	readonly link: string;
	readonly why: string;
	/** The changes that make it lead there: its own, else those by which its way goes. */
	readonly by: readonly Change[];
};

/**
Returns the links that lead out of a tree once changes are made to it, or into a git dir.

What is merged through such a link would be somebody else's file. A link leads where the others let it: a new one can turn an old one, and each of two can be harmless alone. Those that led out before are the person's.

@param before what the tree holds without the changes
*/
export const findEscapingLinks = async (
	store: Store,
	before: ReadonlyMap<string, Entry>,
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
	before: ReadonlyMap<string, Entry>,
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

/** Returns changes on the way of an old link, or below or above it. */
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

/** Returns in which ways a change is one of the surface. */
export const surfacingsOf = (change: Change, commands: PlanCommands): readonly Surfacing[] =>
	surfacings(
		{
			path: change.path,
			before: 'old' in change ? change.old.mode : undefined,
			after: 'new' in change ? change.new.mode : undefined,
		},
		commands,
	);

/** Returns what of changes runs by itself or leads elsewhere, in the order of paths: in a list of files it looks like any other. */
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
