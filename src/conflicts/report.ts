import type {UnreadFile} from '../events/finding.ts';
import type {DrivenFile} from '../git/merge/merge-tree.ts';
import {type MergeSettings, NoCommonBase} from '../git/merge/merge-tree.ts';
import type {Store} from '../git/store/store.ts';
import {defined} from '../lib/values.ts';
import {type Compared, type CompareOptions, compare, withSide} from './compare.ts';
import type {Finding} from './finding.ts';
import type {OracleRun, Oracles} from './oracle/open-oracles.ts';

/** A commit and its name in the command line. */
export type NamedCommit = {readonly name: string; readonly commit: string};

/** Comparison of each pair of several commits; as JSON it is the contract of `conflicts --json`. */
export type ConflictReport = {
	/** Base of all pairs; `null` if they have several. */
	readonly base: string | null;
	readonly inputs: readonly (NamedCommit & {
		/** Number of files that it changes from its base. */
		readonly files: number;
	})[];
	readonly pairs: readonly PairReport[];
	/** Runs of the type checkers. */
	readonly oracles: readonly OracleRun[];
	/** File protection of the programs that ran on the commits; unset if none did. */
	readonly sandbox?: {readonly level: 'files'} | {readonly level: 'none'; readonly why: string};
	/** Changed files that only git compared, and why. */
	readonly unread: readonly UnreadFile[];
	/** Files that both sides changed and that have a merge driver of the person's; it was not run. */
	readonly drivers?: readonly DrivenFile[];
	/** Errors of the base, which count for no side. */
	readonly target: {
		readonly red: readonly {
			readonly file?: string;
			readonly line?: number;
			readonly text: string;
		}[];
	};
};

export type PairReport = {
	readonly a: string;
	readonly b: string;
	readonly base: string;
	/** Git's own verdict. */
	readonly clean: boolean;
	/** Tree of git's merge; `null` if it can't make one. */
	readonly merged: string | null;
	readonly overlap: readonly string[];
	/** Set if a type checker could not check it. */
	readonly areTypesUnchecked?: true;
	readonly conflicts: readonly Finding[];
	/** Test result of the merge, if tests ran; `fails alone`: they fail without it, too. */
	readonly verify?: 'passes' | 'fails' | 'fails alone';
	/** Other programs on this machine whose ports the passed tests used: the result may be meaningless. */
	readonly used?: string;
};

type ReportOptions = Pick<CompareOptions, 'signal' | 'oracles' | 'onRead'> & {
	readonly settings: MergeSettings;
};

/**
Compares each of two to eight commits with each other one.

@throws `Failure` of kind `refused` with the pair that has no common ancestor.
*/
export const report = async (
	store: Store,
	inputs: readonly NamedCommit[],
	options: ReportOptions,
): Promise<ConflictReport> => {
	const pairs: PairReport[] = [];
	const files = new Map<NamedCommit, number>();
	const unread = new Map<string, UnreadFile>();
	for (const [a, b] of pairsOf(inputs)) {
		let areTypesUnchecked = false;
		const compared = await comparePair(store, [a, b], {
			...options,
			onVerdict: ({run}) => {
				areTypesUnchecked ||= run.failed !== undefined;
			},
		});
		pairs.push({...asPair(a, b, compared), ...(areTypesUnchecked ? {areTypesUnchecked} : {})});
		files.set(a, compared.changed.a);
		files.set(b, compared.changed.b);
		for (const file of compared.unread) {
			unread.set(file.path, file);
		}
	}

	const [first, ...others] = new Set(pairs.map(({base}) => base));
	return {
		base: others.length === 0 ? (first ?? null) : null,
		inputs: inputs.map(input => ({...input, files: files.get(input) ?? 0})),
		pairs,
		oracles: options.oracles?.runs() ?? [],
		unread: [...unread.values()],
		target: {red: redOf(options.oracles)},
	};
};

const redOf = (oracles: Oracles | undefined): ConflictReport['target']['red'] =>
	(oracles?.red() ?? []).map(({path, line, code, text}) => ({
		file: path,
		line,
		text: code === '' ? text : `${code}: ${text}`,
	}));

/** Returns whether anything blocks a merge. */
export const blocks = ({pairs}: ConflictReport): boolean =>
	pairs.some(({clean, conflicts}) => !clean || conflicts.some(({blocking}) => blocking));

/** One term for each cause; they are never mixed. */
type Verdict =
	| 'git conflict'
	| 'breaks the build together'
	| 'breaks tests together'
	| 'merges cleanly';

/** Returns the verdict on a pair, with the first cause if there are several. */
export const verdictOf = ({clean, conflicts}: Pick<PairReport, 'clean' | 'conflicts'>): Verdict => {
	const blocking = conflicts.filter(finding => finding.blocking);
	if (!clean) {
		return 'git conflict';
	}

	if (blocking.some(({type}) => type !== 'TEST_CONFLICT')) {
		return 'breaks the build together';
	}

	return blocking.length > 0 ? 'breaks tests together' : 'merges cleanly';
};

const pairsOf = <Thing>(things: readonly Thing[]): readonly (readonly [Thing, Thing])[] =>
	things.flatMap((one, position) => things.slice(position + 1).map(other => [one, other] as const));

const comparePair = async (
	store: Store,
	[a, b]: readonly [NamedCommit, NamedCommit],
	options: CompareOptions,
): Promise<Compared> => {
	try {
		return await compare(store, {a: a.commit, b: b.commit}, options);
	} catch (error) {
		throw error instanceof NoCommonBase
			? new NoCommonBase('refused', `${a.name} and ${b.name} have no common ancestor.`, {
					...defined({hint: error.hint}),
				})
			: error;
	}
};

const asPair = (
	a: NamedCommit,
	b: NamedCommit,
	{base, merge, overlap, findings}: Compared,
): PairReport => ({
	a: a.name,
	b: b.name,
	base,
	clean: merge.clean,
	merged: merge.clean ? merge.tree : null,
	overlap,
	conflicts: withSide(findings, {a: a.name, b: b.name}).map(finding => labelled(finding, [a, b])),
});

/** Replaces the commit by its name in the path of a file that clashes with a folder, to which git adds the side. */
const labelled = (finding: Finding, sides: readonly NamedCommit[]): Finding => {
	const rename = (text: string): string =>
		sides.reduce(
			(renamed, {name, commit}) =>
				renamed.replaceAll(`~${commit}`, `~${name.replaceAll('/', '_')}`),
			text,
		);
	return {
		...finding,
		path: rename(finding.path),
		key: rename(finding.key),
		summary: rename(finding.summary),
	};
};
