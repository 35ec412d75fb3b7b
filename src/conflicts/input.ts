import {type MergeResult, mergeCommits} from '../git/merge/merge-tree.ts';
import {commitTree, type Store} from '../git/store/store.ts';
import {type Change, changes, inverse} from '../git/tree/changes.ts';
import {graft} from '../git/tree/graft.ts';
import type {Comparison, Side} from './finding.ts';

/** Work that goes into a merge: its owners, and its commit on its base. */
export type Input = {
	/** Ids of the agents; several if a person combined their works. */
	readonly owners: readonly string[];
	readonly base: string;
	readonly commit: string;
	/** The whole work, if this is only the part that a person took. */
	readonly whole?: string;
	/** Agents of the works that a person combined by hand. */
	readonly madeOf?: {readonly a: readonly string[]; readonly b: readonly string[]};
};

/** A person's decision on the conflict at a path. */
export type PathResolution = {
	readonly path: string;
	readonly a: readonly string[];
	readonly b: readonly string[];
} & (
	| {
			readonly choice: 'choose-one';
			readonly winner: readonly string[];
			/** Paths that the losing side gives up, if not the conflict's path. */
			readonly gives?: readonly string[];
	  }
	/** Leaves the inputs as they are, although they break each other. */
	| {readonly choice: 'accept'}
	| {
			readonly choice: 'manual';
			readonly files: readonly {
				readonly path: string;
				readonly entry: {readonly mode: string; readonly oid: string} | null;
			}[];
	  }
);

/** Name of the target among the owners of a side. */
export const target = 'target';

/**
Returns the inputs after applying the resolutions.

A losing side gives up its change to the path, so that there is no conflict any more. Work that won over earlier work is measured again at the path, since it may be stacked on the losing work. A file made by hand replaces both sides' changes, and becomes an input of its own. So one merge rule is enough: the remaining changes are merged as usual.
*/
export const resolveInputs = async (
	store: Store,
	inputs: readonly Input[],
	resolutions: readonly PathResolution[],
	at: string,
): Promise<readonly Input[]> => {
	let resolved = inputs;
	for (const resolution of resolutions) {
		if (resolution.choice === 'accept') {
			continue;
		}

		const losers = losersOf(resolution);
		const ofSide = async (input: Input): Promise<readonly Input[]> => {
			if (input.owners.every(owner => losers.includes(owner))) {
				return [await withoutChanges(store, input, takenBackBy(resolution), at)];
			}

			return hasWonAsLater(resolution, input)
				? measuredAnew(store, input, {path: resolution.path, base: inputs[0]?.base, at})
				: [input];
		};
		resolved = (await Promise.all(resolved.map(ofSide))).flat();
		if (resolution.choice === 'manual') {
			resolved = [...resolved, await handMade(store, resolution, inputs, at)];
		}
	}

	return resolved;
};

/** A resolution that changes inputs. */
type Changing = Exclude<PathResolution, {choice: 'accept'}>;

const losersOf = (resolution: Changing): readonly string[] => {
	const both = [...resolution.a, ...resolution.b];
	return resolution.choice === 'manual'
		? both
		: both.filter(owner => !resolution.winner.includes(owner));
};

/** Paths at which an input gives up its changes, and whether their contents are included. */
type TakenBack = {readonly paths: readonly string[]; readonly below: boolean};

/** Returns the paths to take back: a manual resolution lists files, but a losing side may give up a folder. */
const takenBackBy = (resolution: Changing): TakenBack =>
	resolution.choice === 'manual'
		? {paths: [resolution.path, ...resolution.files.map(({path}) => path)], below: false}
		: {paths: resolution.gives ?? [resolution.path], below: resolution.gives !== undefined};

/** Returns whether the later side won: only that can be stacked on the other one; the earlier one may be a stack of several works. */
const hasWonAsLater = (resolution: Changing, {owners}: Input): boolean =>
	resolution.choice === 'choose-one' &&
	resolution.gives === undefined &&
	[resolution.winner, owners].every(names => names.every(name => resolution.b.includes(name)));

/**
Returns the input without its change to a path, followed by its result for that path as a change on the base of the merge.

The path has that base's content once the losing sides have given it up.
*/
const measuredAnew = async (
	store: Store,
	input: Input,
	{path, base = input.base, at}: {path: string; base: string | undefined; at: string},
): Promise<readonly Input[]> => {
	const changed = await changes(store, input.base, input.commit);
	const own = changed.filter(change => change.path === path);
	if (own.length === 0) {
		return [input];
	}

	const {owners} = input;
	const message = `${path} as ${owners.join(', ')} left it`;
	return [
		await withoutChanges(store, input, {paths: [path], below: false}, at),
		await onBase(store, {owners, base, changes: own, message, at}),
	];
};

/**
Returns the input with its changes to some paths taken back.

A deletion stays if the input has a file in place of the folder, or a folder in place of the file: the restored content would replace that.
*/
const withoutChanges = async (
	store: Store,
	input: Input,
	{paths, below}: TakenBack,
	at: string,
): Promise<Input> => {
	const isNamed = ({path}: Change): boolean =>
		paths.some(named => path === named || (below && path.startsWith(`${named}/`)));
	const changed = await changes(store, input.base, input.commit);
	const stays = changed.filter(change => change.status !== 'D' && !isNamed(change));
	const hasNoRoom = ({path, status}: Change): boolean =>
		status === 'D' &&
		stays.some(one => path.startsWith(`${one.path}/`) || one.path.startsWith(`${path}/`));
	const undone = changed.filter(change => isNamed(change) && !hasNoRoom(change)).map(inverse);
	if (undone.length === 0) {
		return input;
	}

	const tree = await graft(store, {onto: input.commit, changes: undone});
	const message = `Work of ${input.owners.join(', ')} without ${paths.join(', ')}`;
	const commit = await commitTree(store, {tree, parents: [input.base], message, at});
	return {...input, commit, whole: input.whole ?? input.commit};
};

/** Returns the hand-made files as a change on the common base of the conflict's agents. */
const handMade = async (
	store: Store,
	resolution: Extract<PathResolution, {choice: 'manual'}>,
	inputs: readonly Input[],
	at: string,
): Promise<Input> => {
	const owners = [...resolution.a, ...resolution.b];
	const base = inputs.find(input => input.owners.some(owner => owners.includes(owner)))?.base ?? '';
	const made = await onBase(store, {
		owners,
		base,
		changes: resolution.files.map(asChange),
		message: `Resolution of ${resolution.path} by hand`,
		at,
	});
	return {...made, madeOf: {a: resolution.a, b: resolution.b}};
};

type Whole = {
	readonly owners: readonly string[];
	readonly base: string;
	readonly changes: readonly Change[];
	readonly message: string;
	readonly at: string;
};

/** Returns an input that only sets paths to the content of the changes. */
const onBase = async (
	store: Store,
	{owners, base, changes, message, at}: Whole,
): Promise<Input> => {
	const tree = await graft(store, {onto: base, changes});
	return {owners, base, commit: await commitTree(store, {tree, parents: [base], message, at})};
};

const nothing = {mode: '000000', oid: ''};

/** Returns a hand-made file as a change, with any content before. */
export const asChange = ({
	path,
	entry,
}: Extract<PathResolution, {choice: 'manual'}>['files'][number]): Change =>
	entry === null
		? {status: 'D', path, old: nothing}
		: {status: 'M', path, old: nothing, new: entry};

/** Returns the paths that both sides changed, sorted. */
export const overlapOf = (a: Side, b: Side): readonly string[] => {
	const paths = new Set(b.changes.map(({path}) => path));
	return a.changes.filter(({path}) => paths.has(path)).map(({path}) => path);
};

/** Returns the paths that both sides changed and git merges. */
export const mergedOverlapOf = ({a, b, merge}: Comparison): readonly string[] => {
	const inConflict = new Set(merge.clean ? [] : merge.conflicts.flatMap(({paths}) => paths));
	return overlapOf(a, b).filter(path => !inConflict.has(path));
};

/** Returns the side's change to a path. */
export const changeAt = ({changes}: Side, path: string): Change | undefined =>
	changes.find(change => change.path === path);

/** Work to merge: the changes of a commit from its base. */
export type Work = {readonly base: string; readonly commit: string};

/**
Merges work onto a commit, measured against the work's own base.

By itself git would use a common ancestor. But the changes between that and the base are not this work's: they belong to the works below it, which may have been taken out of the merge, or to a history that the person has rewritten. So git gets a history in which the base is the ancestor of both sides.
*/
export const mergeWork = async (
	store: Store,
	onto: string,
	{base, commit}: Work,
): Promise<MergeResult> => {
	const alike = (original: string, parents: readonly string[]): Promise<string> =>
		commitTree(store, {
			...{tree: `${original}^{tree}`, parents, message: 'For a merge'},
			// Any date is fine if it is always the same: then git makes the same merge only once.
			at: '2000-01-01T00:00:00Z',
		});
	const ancestor = await alike(base, []);
	const [ours, theirs] = await Promise.all([alike(onto, [ancestor]), alike(commit, [ancestor])]);
	return mergeCommits(store, ours, theirs);
};
