import type {SurfaceChange} from '../../events/surface.ts';
import {readBlobs} from '../../git/blobs.ts';
import type {Change} from '../../git/changes.ts';
import type {Store} from '../../git/store.ts';
import {decodePath} from '../../lib/byte-path.ts';
import {type Surfacing, surfacings} from '../../rules/surface.ts';

/** Returns in which ways a change is one of the surface. */
export const surfacingsOf = (change: Change): readonly Surfacing[] =>
	surfacings({
		path: change.path,
		before: 'old' in change ? change.old.mode : undefined,
		after: 'new' in change ? change.new.mode : undefined,
	});

/** Returns what of changes runs by itself or leads elsewhere, in the order of paths: in a list of files it looks like any other. */
export const surfaceIn = async (
	store: Store,
	changed: readonly Change[],
): Promise<readonly SurfaceChange[]> => {
	const found = changed.flatMap(change =>
		surfacingsOf(change).map(surfacing => ({
			path: change.path,
			oid: 'new' in change ? change.new.oid : '',
			surfacing,
		})),
	);
	const links = found.flatMap(({oid, surfacing}) => (surfacing.as === 'link' ? [oid] : []));
	const goals = links.length === 0 ? new Map<string, Buffer>() : await readBlobs(store, links);
	return found.map(({path, oid, surfacing}) => ({
		path,
		as: surfacing.as,
		what: wordsOf(surfacing, oid, goals),
	}));
};

const wordsOf = (surfacing: Surfacing, oid: string, goals: ReadonlyMap<string, Buffer>): string => {
	switch (surfacing.as) {
		case 'runs':
			return surfacing.what;
		case 'link':
			return decodePath(goals.get(oid) ?? Buffer.of());
		case 'submodule':
			return oid.slice(0, 10);
	}
};
