import type {Change} from '../git/tree/changes.ts';
import type {Comparison, Side} from './detector.ts';

/** Returns the paths that both sides changed, in the order of paths. */
export const overlapOf = (a: Side, b: Side): readonly string[] => {
	const paths = new Set(b.changes.map(({path}) => path));
	return a.changes.filter(({path}) => paths.has(path)).map(({path}) => path);
};

/** Returns those of them that git merges. */
export const mergedOverlapOf = ({a, b, merge}: Comparison): readonly string[] => {
	const inConflict = new Set(merge.clean ? [] : merge.conflicts.flatMap(({paths}) => paths));
	return overlapOf(a, b).filter(path => !inConflict.has(path));
};

/** Returns what the side did to a path. */
export const changeAt = ({changes}: Side, path: string): Change | undefined =>
	changes.find(change => change.path === path);
