import type {SurfaceChange} from '../../events/surface.ts';
import type {Store} from '../../git/store/store.ts';
import {contentsOf} from '../../git/tree/blobs.ts';
import type {Change} from '../../git/tree/changes.ts';
import {decodePath} from '../../lib/text/byte-path.ts';
import {shortOid} from '../../lib/text/short-oid.ts';
import type {PlanCommands} from '../../rules/surface/named-by-commands.ts';
import {type Surfacing, surfacings} from '../../rules/surface/surface.ts';

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
