import type {UnreadFile} from '../events/finding.ts';
import {
	commonBase,
	type MergeResult,
	type MergeSettings,
	mergeCommits,
} from '../git/merge/merge-tree.ts';
import type {Store} from '../git/store/store.ts';
import {changes} from '../git/tree/changes.ts';
import {withoutStop} from '../lib/text/words.ts';
import {defined} from '../lib/values.ts';
import {generated, gitConflicts} from './detectors/file/git-conflicts.ts';
import {overlaps} from './detectors/file/overlaps.ts';
import {syntax} from './detectors/file/syntax.ts';
import {changedParameters} from './detectors/names/changed-parameters.ts';
import {droppedImport} from './detectors/names/dropped-import.ts';
import {gonePackage} from './detectors/names/gone-package.ts';
import {lostUse} from './detectors/names/lost-use.ts';
import {missingMember} from './detectors/names/missing-member.ts';
import {removedExport, removedModule} from './detectors/names/removed.ts';
import {removedAndUsed} from './detectors/names/removed-and-used.ts';
import {findByNames} from './detectors/names/rule.ts';
import {testOfChanged} from './detectors/names/test-of-changed.ts';
import {definedTwice, importedTwice, sameTwice} from './detectors/names/twice.ts';
import {editedTwice} from './detectors/tests/edited-twice.ts';
import {goldens} from './detectors/tests/goldens.ts';
import {eitherSide} from './either-side.ts';
import type {Comparison, ConflictType, Detector, Finding, Side} from './finding.ts';
import {mergeWork, overlapOf} from './input.ts';
import {unreadOf} from './linking/linking.ts';
import type {ConfirmOptions, Findings, Oracles} from './oracle/open-oracles.ts';

export type Pair = {
	readonly a: string;
	readonly b: string;
	/** Merge base; by default git's common ancestor. */
	readonly base?: string;
	/** Tree made from both, if git doesn't merge them. */
	readonly made?: string;
	/** Trees of further works that it contains. */
	readonly beside?: readonly string[];
};

export type CompareOptions = {
	/** Aborted when the result is no longer needed. */
	readonly signal: AbortSignal;
	/** Merge settings of another repository that is read, if it is not ours. */
	readonly settings?: MergeSettings;
	/** Type checkers, which confirm or reject breakages; without them none is asked. */
	readonly oracles?: Oracles;
	/** Called once the rules have read all sources, while type checkers may still run. */
	readonly onRead?: () => Promise<void>;
} & ConfirmOptions;

export type Compared = {
	readonly base: string;
	readonly merge: MergeResult;
	/** Number of files that each side changes. */
	readonly changed: {readonly a: number; readonly b: number};
	/** Paths that both sides changed. */
	readonly overlap: readonly string[];
	/** Findings: blocking ones first, then by path. */
	readonly findings: readonly Finding[];
	/** Files that the rules about names could not read, so that only git compared them. */
	readonly unread: readonly UnreadFile[];
	/** All comparisons, for checkers that are asked later: the merge, or, if git can't make it, one with each side's lines. */
	readonly comparisons: readonly Comparison[];
};

/**
Returns git's merge of two commits, and all certain and possible conflicts in it.

Git's verdict is never contradicted: rule F1 reports exactly the paths that it can't merge. Other findings hold with either side's lines, unless they name the side. Only objects are written, all of them into the store.

@throws `Failure` of kind `refused` if there is no common ancestor, and the signal's reason once it is aborted.
*/
export const compare = async (
	store: Store,
	pair: Pair,
	{signal, settings, oracles, onRead, ...asking}: CompareOptions,
): Promise<Compared> => {
	const [merge, base] = await Promise.all([
		pair.made === undefined
			? mergeOf(store, pair, settings)
			: ({clean: true, tree: pair.made} as const),
		pair.base ?? commonBase(store, pair.a, pair.b),
	]);
	signal.throwIfAborted();
	const side = async (commit: string): Promise<Side> => ({
		commit,
		changes: await changes(store, base, commit),
	});
	const [a, b] = await Promise.all([side(pair.a), side(pair.b)]);
	const trees = merge.clean ? [merge.tree] : await eitherSide(store, merge);
	const beside = pair.beside ?? [];
	const comparisons = trees.map(merged => ({store, base, a, b, beside, merge, merged, signal}));
	const findings = Promise.all(comparisons.map(find)).then(found => inOrder(ofEither(found)));
	const confirmed =
		oracles && confirmedBy(oracles, {comparisons, merge, findings}, {signal, ...asking});
	const [read] = await Promise.all([findings, confirmed, findings.then(onRead)]);
	const unread = (await Promise.all(comparisons.map(unreadOf))).flat();
	return {
		base,
		merge,
		changed: {a: a.changes.length, b: b.changes.length},
		overlap: overlapOf(a, b),
		findings: (await confirmed) ?? read,
		unread: [...new Map(unread.map(file => [file.path, file])).values()],
		comparisons,
	};
};

/**
Returns the findings after the type checkers' verdict on those without them.

@throws The signal's reason once it is aborted.
*/
export const confirmedBy = async (
	oracles: Oracles,
	{
		comparisons,
		merge,
		findings,
	}: Pick<Compared, 'comparisons' | 'merge'> & {
		readonly findings: Findings;
	},
	{signal, quick = false, budget, onVerdict}: ConfirmOptions & {readonly signal: AbortSignal},
): Promise<readonly Finding[]> => {
	const judged: (readonly Finding[])[] = [];
	const read = Promise.resolve(findings);
	for (const [position, comparison] of comparisons.entries()) {
		const isLast = comparison === comparisons.at(-1);
		const known = read.then(all =>
			all.filter(({keeping = sides[position]}) => keeping === sides[position]),
		);
		const found = await oracles.confirm({...comparison, signal}, known, {
			...{quick, budget},
			onVerdict: async ({findings: told, run}) => {
				const all = await read;
				const sure = () => ofEither([...judged, withoutDoubtful(told, all, merge)], all);
				await onVerdict?.({findings: isLast ? sure() : all, run});
			},
		});
		judged.push(withoutDoubtful(found, await read, merge));
	}

	return inOrder(ofEither(judged, await read));
};

const sides = ['a', 'b'] as const;

/**
Returns the findings with either side's lines: one that blocks only with one side's lines becomes a note. A breakage of names with only one side's lines names that side.

@param read Findings of the rules, if checkers were asked after them: an error of a checker with only one side's lines often means that the other's are missing.
*/
const ofEither = (
	[first = [], ...others]: readonly (readonly Finding[])[],
	read?: readonly Finding[],
): readonly Finding[] => {
	const [second] = others;
	if (second === undefined) {
		return first;
	}

	const isOfOne = ({key, type, blocking}: Finding): boolean =>
		blocking &&
		(type === 'IMPORT_CONFLICT' || type === 'API_CONFLICT') &&
		(read === undefined || read.some(known => known.key === key));
	return [first, second].flatMap((found, position) => {
		const other = position === 0 ? second : first;
		return found.flatMap((finding): readonly Finding[] => {
			const same = other.find(({key}) => key === finding.key);
			const keeping = sides[position];
			if (same === undefined) {
				return isOfOne(finding) ? [{...finding, ...defined({keeping})}] : [];
			}

			return position > 0 ? [] : [same.blocking ? finding : same];
		});
	});
};

/** Adds to findings the name of the side whose lines cause them, if the other's don't. */
export const withSide = (
	findings: readonly Finding[],
	names: Readonly<Record<'a' | 'b', string>>,
): readonly Finding[] =>
	findings.map(({keeping, ...finding}) =>
		keeping === undefined
			? finding
			: {
					...finding,
					summary: `${withoutStop(finding.summary)}, if the lines of ${names[keeping]} are kept.`,
				},
	);

/** Drops a checker's own findings in files with git conflicts: often they only come from taking one side's lines. */
const withoutDoubtful = (
	found: readonly Finding[],
	read: readonly Finding[],
	merge: MergeResult,
): readonly Finding[] => {
	const inConflict = new Set(merge.clean ? [] : merge.conflicts.flatMap(({paths}) => paths));
	return found.filter(
		({path, key}) => !inConflict.has(path) || read.some(known => known.key === key),
	);
};

const mergeOf = (
	store: Store,
	{a, b, base}: Pair,
	settings: MergeSettings | undefined,
): Promise<MergeResult> =>
	base === undefined ? mergeCommits(store, a, b, settings) : mergeWork(store, a, {base, commit: b});

/** Returns the findings of all detectors. */
export const find = async (comparison: Comparison): Promise<readonly Finding[]> => {
	const found: Finding[] = [];
	for (const detector of Object.values(detectors).flat()) {
		comparison.signal.throwIfAborted();
		found.push(...(await detector(comparison)));
	}

	return found;
};

const inOrder = (findings: readonly Finding[]): readonly Finding[] => {
	const rank = ({blocking, path, key}: Finding) => `${blocking ? 0 : 1} ${path} ${key}`;
	return findings.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
};

/** Finds names that one side imports or uses while the other one removes their source. */
const imports: Detector<'IMPORT_CONFLICT'> = comparison =>
	findByNames('IMPORT_CONFLICT', comparison, {
		directed: [removedModule, removedExport, droppedImport, gonePackage],
		mutual: [importedTwice],
	});

/** Finds uses that one side added in the old form while the other one changed the form. */
const uses: Detector<'API_CONFLICT'> = comparison =>
	findByNames('API_CONFLICT', comparison, {
		directed: [removedAndUsed, changedParameters, missingMember, lostUse],
		mutual: [definedTwice, sameTwice],
	});

/** Finds tests of code that the other side changed; only a run shows whether they fail. */
const testsOfChanged: Detector<'TEST_CONFLICT'> = comparison =>
	findByNames('TEST_CONFLICT', comparison, {directed: [testOfChanged], mutual: []});

/** All detectors; a type of conflict without an entry here does not compile. */
export const detectors: {
	readonly [Type in ConflictType]: readonly Detector<Type>[];
} = {
	FILE_CONFLICT: [gitConflicts, overlaps, syntax, generated],
	IMPORT_CONFLICT: [imports],
	API_CONFLICT: [uses],
	TEST_CONFLICT: [editedTwice, testsOfChanged, goldens],
};
