import type {UnreadFile} from '../events/unread.ts';
import type {Store} from '../git/store/store.ts';
import {defined} from '../lib/defined.ts';
import type {Combination} from './combine.ts';
import {type CompareOptions, compare, type Pair} from './compare.ts';
import type {Finding} from './finding.ts';
import type {OracleRun} from './oracle/open-oracles.ts';
import {type LineSeen, ownersOfLines} from './owners.ts';

/** What two sides of a result break together, and whose changes those are. */
export type BrokenTogether = {
	readonly a: readonly string[];
	readonly b: readonly string[];
	readonly finding: Finding;
};

/** What came of looking at the merges that make a result. */
export type Breakages = {
	readonly found: readonly BrokenTogether[];
	/** How many of them had changes on both sides. */
	readonly merges: number;
	/** Changed files that only git compared, and why. */
	readonly unread: readonly UnreadFile[];
	/** The type checkers that had a say. */
	readonly oracles: readonly OracleRun[];
};

/**
Returns what breaks in a result although git merges it.

Looked at are the merges that really make the result, one work onto all that came before it, and not each pair by itself: so what only three break together is found as well, and work that stands on other work is measured from where it stands. Merges that git can't make are left out; there it has told what collides. What a person made by hand is looked at once more as what became of the two that it was made of.

@throws the signal's reason once it is aborted.
*/
export const breakagesOf = async (
	store: Store,
	{steps, made, tree}: Pick<Combination, 'steps' | 'made' | 'tree'>,
	options: Omit<CompareOptions, 'onVerdict'>,
): Promise<Breakages> => {
	const found: BrokenTogether[] = [];
	const unread = new Map<string, UnreadFile>();
	const oracles = new Map<string, OracleRun>();
	let merges = 0;
	const look = async (pair: Pair): Promise<readonly Finding[]> => {
		const {
			changed,
			findings,
			unread: files,
		} = await compare(store, pair, {
			...options,
			onVerdict: ({run}) => {
				oracles.set(run.name, {...run, ms: run.ms + (oracles.get(run.name)?.ms ?? 0)});
			},
		});
		for (const file of files) {
			unread.set(file.path, file);
		}

		merges += changed.a > 0 && changed.b > 0 ? 1 : 0;
		return findings.filter(({blocking}) => blocking);
	};

	for (const {onto, before, work} of steps.filter(({clean}) => clean)) {
		for (const finding of await look({a: onto, b: work.commit, base: work.base})) {
			const lines = finding.evidence.filter(({side}) => side === 'a').map(asSeen);
			const a = await ownersOfLines(store, lines, {before, beside: work.owners});
			found.push({a, b: work.owners, finding});
		}
	}

	for (const {a, b, paths} of made) {
		const findings = await look({a: a.commit, b: b.commit, base: b.base, made: tree});
		const isInThem = ({evidence}: Finding) => evidence.some(({path}) => paths.includes(path));
		found.push(...findings.filter(isInThem).map(finding => ({a: a.owners, b: b.owners, finding})));
	}

	return {found, merges, unread: [...unread.values()], oracles: [...oracles.values()]};
};

const asSeen = ({path, text, removed}: Finding['evidence'][number]): LineSeen =>
	defined({path, text, isRemoved: removed ?? false});
