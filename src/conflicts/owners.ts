import type {Store} from '../git/store/store.ts';
import {readBlobs} from '../git/tree/blobs.ts';
import {type Change, changes, entriesOfChange} from '../git/tree/changes.ts';
import type {Input} from './input.ts';

/** A line that a side wrote or removed. */
export type LineSeen = {readonly path: string; readonly text?: string; readonly isRemoved: boolean};

/** Returns the owners of changes, in the merged inputs, to the first of these paths that any of them changed; a rename may have moved it. */
export const ownersOfPaths = async (
	store: Store,
	paths: readonly string[],
	merged: readonly Input[],
): Promise<readonly string[]> => {
	for (const path of paths) {
		const touched = await changedBy(store, path, merged);
		if (touched.length > 0) {
			return namesOf(touched.map(({input}) => input));
		}
	}

	return namesOf(merged);
};

/** Returns the owners whose changes to a path were merged. */
export const changersOf = async (
	store: Store,
	path: string,
	merged: readonly Input[],
): Promise<readonly string[]> =>
	namesOf((await changedBy(store, path, merged)).map(({input}) => input));

/**
Returns the owners that wrote or removed lines in the merged inputs; if that is unknown, all that changed the file.

@param beside Owners of the other side; they are named only if there are no others.
*/
export const ownersOfLines = async (
	store: Store,
	lines: readonly LineSeen[],
	{before, beside}: {readonly before: readonly Input[]; readonly beside: readonly string[]},
): Promise<readonly string[]> => {
	const owners: string[] = [];
	for (const line of lines) {
		const touched = await changedBy(store, line.path, before);
		const writers = await writersOf(store, line, touched);
		const own = writers.length > 0 ? writers : touched.map(({input}) => input);
		owners.push(...namesOf(own));
	}

	const named = [...new Set(owners)];
	const others = (named.length > 0 ? named : namesOf(before)).filter(
		owner => !beside.includes(owner),
	);
	return others.length > 0 ? others : named;
};

type Touched = {readonly input: Input; readonly change: Change};

const changedBy = async (
	store: Store,
	path: string,
	inputs: readonly Input[],
): Promise<readonly Touched[]> => {
	const found = await Promise.all(
		inputs.map(async input => {
			const changed = await changes(store, input.base, input.commit);
			return changed.filter(change => change.path === path).map(change => ({input, change}));
		}),
	);
	return found.flat();
};

const writersOf = async (
	store: Store,
	{text, isRemoved}: LineSeen,
	touched: readonly Touched[],
): Promise<readonly Input[]> => {
	if (text === undefined) {
		return [];
	}

	const versions = touched.map(({input, change}) => {
		const [before, after] = entriesOfChange(change);
		return {input, old: before?.oid, now: after?.oid};
	});
	const oids = versions.flatMap(({old, now}) => [old, now]).filter(oid => oid !== undefined);
	const blobs = await readBlobs(store, oids);
	const holds = (oid: string | undefined): boolean =>
		(blobs.get(oid ?? '')?.toString('utf8') ?? '')
			.split('\n')
			.some(line => line.trim().startsWith(text.trim()));
	return versions
		.filter(({old, now}) => (isRemoved ? holds(old) && !holds(now) : holds(now) && !holds(old)))
		.map(({input}) => input);
};

const namesOf = (inputs: readonly Input[]): readonly string[] => [
	...new Set(inputs.flatMap(({owners}) => owners)),
];
