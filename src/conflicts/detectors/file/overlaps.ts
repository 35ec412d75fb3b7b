import {type Entry, isSameEntry} from '../../../git/tree/entry.ts';
import {
	type Comparison,
	type Detector,
	type Evidence,
	type FindingOf,
	keyOf,
} from '../../finding.ts';
import {readTexts, type Texts} from '../../hunks.ts';
import {changeAt, mergedOverlapOf} from '../../input.ts';
import {firstChange} from './evidence.ts';

/** F2, a note: files that both sides changed and that git merges nevertheless. */
export const overlaps: Detector<'FILE_CONFLICT'> = async comparison => {
	const changed = changedByBoth(comparison);
	const entries = changed.flatMap(({base, a, b}) => [base, a, b]);
	const texts = await readTexts(comparison.store, entries);
	return changed.map(overlap => findingOf(overlap, texts));
};

type Overlap = {
	readonly path: string;
	readonly base: Entry | undefined;
	readonly a: Entry;
	readonly b: Entry;
};

/** Returns the paths that both sides changed, except equal changes, which need no look. */
export const changedByBoth = (comparison: Comparison): readonly Overlap[] =>
	mergedOverlapOf(comparison).flatMap(path => {
		const [one, other] = [changeAt(comparison.a, path), changeAt(comparison.b, path)];
		return !one ||
			!other ||
			one.status === 'D' ||
			other.status === 'D' ||
			isSameEntry(one.new, other.new)
			? []
			: [{path, base: one.status === 'A' ? undefined : one.old, a: one.new, b: other.new}];
	});

const findingOf = ({path, base, a, b}: Overlap, texts: Texts): FindingOf<'FILE_CONFLICT'> => {
	const first = (side: 'a' | 'b', entry: Entry): Evidence =>
		firstChange({side, path}, [base, entry], texts) ?? {side, path};
	return {
		type: 'FILE_CONFLICT',
		rule: 'F2',
		kind: 'overlap',
		path,
		key: keyOf('F2', path),
		blocking: false,
		confidence: 'low',
		summary: `Both sides changed ${path}, and git merges it.`,
		evidence: [first('a', a), first('b', b)],
	};
};
