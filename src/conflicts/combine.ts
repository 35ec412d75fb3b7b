import type {FileCollision} from '../events/kinds/merge-event.ts';
import type {MergeConflict, MergeResult} from '../git/merge/merge-tree.ts';
import {commitTree, type Store} from '../git/store/store.ts';
import {changes} from '../git/tree/changes.ts';
import {treeOfCommit} from '../git/tree/commit.ts';
import {gitConflicts} from './detectors/file/git-conflicts.ts';
import {keepingSide} from './either-side.ts';
import type {Finding} from './finding.ts';
import {type Input, mergeWork, type PathResolution, resolveInputs, target} from './input.ts';
import {ownersOfPaths} from './owners.ts';

/** Changes of two sides to one path that git can't merge. */
type FileConflict = Omit<FileCollision, 'breaks'>;

/** The index stages of the path: base, ours, theirs. */
export type Stages = FileCollision['stages'];

/** The merge of several agents' work onto the target's tip. */
export type Combination = {
	/** Tree of the merge; with conflicts it has the first side's lines: to look at, not to publish. */
	readonly tree: string;
	/** Base of all work that is not stacked on other work. */
	readonly base: string;
	readonly steps: readonly MergeStep[];
	readonly settled: readonly Settled[];
} & (
	| {readonly kind: 'conflicts'; readonly conflicts: readonly FileConflict[]}
	| {readonly kind: 'clean'; readonly commit: string}
);

/** Two works before a person took one side of them, or made files from both. */
export type Settled = {readonly a: Input; readonly b: Input};

/** One of the merges that make the result: an input onto everything merged before it. */
export type MergeStep = {
	/** Commit of everything merged before. */
	readonly onto: string;
	readonly before: readonly Input[];
	readonly work: Input;
};

/** Target's tip, the works to merge onto it in this order, and the decisions about them. */
export type CombinationParts = {
	readonly tip: string;
	/** Commit at which the session started, to find the target's changes since. */
	readonly base: string;
	readonly inputs: readonly Input[];
	readonly resolutions: readonly PathResolution[];
	/** Date of the commits between; equal parts make equal commits. */
	readonly at: string;
};

/**
Merges work onto the target's tip, in memory, and reports all conflicts in one pass.

At a conflict the first side is kept for now, so that later conflicts are found, too; there is only a result without any. Each work counts only with its changes on its own base: work below it is in the result only as an input of its own.
*/
export const combine = async (store: Store, parts: CombinationParts): Promise<Combination> => {
	const {tip, base, inputs, resolutions, at} = parts;
	const asInput = {owners: [target], base, commit: tip};
	const [first = asInput, ...works] = await resolveInputs(
		store,
		[asInput, ...inputs],
		resolutions,
		at,
	);
	const settled = settledWorks([asInput, ...inputs], resolutions);
	const merged: Input[] = [first];
	const conflicts: FileConflict[] = [];
	const steps: MergeStep[] = [];
	let {commit} = first;
	let tree: string | undefined;
	for (const work of works) {
		const step = await mergeStep(store, commit, work, at);
		steps.push({onto: commit, before: [...merged], work});
		conflicts.push(
			...(await Promise.all(
				step.conflicts.map(conflict => asConflict(store, conflict, {merged, work, step})),
			)),
		);
		({commit, tree} = step);
		merged.push(work);
	}

	const made = {tree: tree ?? (await treeOfCommit(store, commit)), base, steps, settled};
	return conflicts.length > 0
		? {kind: 'conflicts', conflicts, ...made}
		: {kind: 'clean', commit, ...made};
};

const settledWorks = (
	inputs: readonly Input[],
	resolutions: readonly PathResolution[],
): readonly Settled[] => {
	const pairs = resolutions.flatMap((resolution): Settled[] => {
		const of = (names: readonly string[]) =>
			inputs.filter(({owners}) => owners.some(owner => names.includes(owner)));
		return resolution.choice === 'accept'
			? []
			: of(resolution.a).flatMap(a => of(resolution.b).map(b => ({a, b})));
	});
	return pairs.filter(
		({a, b}, position) => pairs.findIndex(one => one.a === a && one.b === b) === position,
	);
};

type Step = {
	readonly commit: string;
	readonly tree: string;
	readonly conflicts: readonly MergeConflict[];
	readonly findings: readonly Finding[];
};

const mergeStep = async (store: Store, onto: string, work: Input, at: string): Promise<Step> => {
	const outcome = await mergeWork(store, onto, work);
	const conflicts = outcome.clean ? [] : outcome.conflicts;
	const tree = outcome.clean ? outcome.tree : await keepingSide(store, outcome, 'ours');
	const message = `Work of ${work.owners.join(', ')}`;
	const findings = outcome.clean ? [] : await findingsOf(store, onto, work, outcome);
	return {
		conflicts,
		findings,
		tree,
		commit: await commitTree(store, {tree, parents: [onto, work.commit], message, at}),
	};
};

/** Returns the findings about git's conflicts in a merge. */
const findingsOf = async (
	store: Store,
	onto: string,
	{base, commit}: Input,
	merge: MergeResult,
): Promise<readonly Finding[]> => {
	const side = async (tip: string) => ({commit: tip, changes: await changes(store, base, tip)});
	const [a, b] = await Promise.all([side(onto), side(commit)]);
	const {signal} = new AbortController();
	return gitConflicts({store, base, a, b, merge, merged: merge.tree, signal});
};

const asConflict = async (
	store: Store,
	{path, base, ours, theirs, summary}: MergeConflict,
	{merged, work, step}: {merged: readonly Input[]; work: Input; step: Step},
): Promise<FileConflict> => {
	const {evidence = []} = step.findings.find(finding => finding.path === path) ?? {};
	// If git made the name up, no agent changed a file of that name.
	const paths = [path, ...evidence.filter(({side}) => side === 'a').map(one => one.path)];
	return {
		path,
		a: await ownersOfPaths(store, paths, merged),
		b: work.owners,
		type: 'FILE_CONFLICT',
		summary,
		stages: {base: base ?? null, a: ours ?? null, b: theirs ?? null},
		evidence,
	};
};
