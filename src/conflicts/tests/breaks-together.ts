import {type FindingOf, keyOf} from '../finding.ts';

/** What a run of the tests on one tree came to. */
export type TestRun = {readonly ok: boolean; readonly output: string};

/** Runs the tests on a commit; `again` asks for a second run where the first may have failed by chance. */
export type RunTests = (commit: string, options?: {readonly again: true}) => Promise<TestRun>;

/** Two commits and what git makes of them. */
export type MergedPair = {
	readonly a: {readonly commit: string; readonly paths: readonly string[]};
	readonly b: {readonly commit: string; readonly paths: readonly string[]};
	readonly merged: string;
	/** Paths of the merged tree. */
	readonly isThere: (path: string) => boolean;
};

/** What the tests say of a pair: nothing, that only the merge fails, or who fails without it. */
export type TestVerdict =
	| {readonly kind: 'green'}
	| {readonly kind: 'red together'; readonly finding: FindingOf<'TEST_CONFLICT'>}
	| {readonly kind: 'red alone'; readonly sides: readonly ('a' | 'b')[]; readonly output: string};

/**
T4: tests that fail on the merge and pass on both sides.

It is run twice before it is said. A side that fails by itself is not charged to the pair.
*/
export const testTogether = async (pair: MergedPair, run: RunTests): Promise<TestVerdict> => {
	const merged = await run(pair.merged);
	if (merged.ok) {
		return {kind: 'green'};
	}

	const [a, b] = [await run(pair.a.commit), await run(pair.b.commit)];
	if (!a.ok || !b.ok) {
		const sides = [...(a.ok ? [] : ['a' as const]), ...(b.ok ? [] : ['b' as const])];
		return {kind: 'red alone', sides, output: a.ok ? b.output : a.output};
	}

	const again = await run(pair.merged, {again: true});
	return again.ok
		? {kind: 'green'}
		: {kind: 'red together', finding: findingOf(pair, again.output)};
};

const findingOf = (pair: MergedPair, output: string): FindingOf<'TEST_CONFLICT'> => {
	const place = placeIn(output, pair.isThere);
	const path = place?.path ?? pair.a.paths[0] ?? '';
	const changed = (side: 'a' | 'b') => pair[side].paths.slice(0, 3).map(path => ({side, path}));
	const failing = (['a', 'b'] as const)
		.filter(side => place !== undefined && pair[side].paths.includes(place.path))
		.map(side => ({side, path, ...(place && {line: place.line, text: place.text})}));
	return {
		type: 'TEST_CONFLICT',
		rule: 'T4',
		path,
		key: keyOf('T4', path),
		blocking: true,
		confidence: 'high',
		summary: `The tests pass on each side and fail on the merge: ${lastLine(output)}`,
		evidence: [...failing, ...changed('a'), ...changed('b')],
	};
};

/** The first `path:line` of the output that names a file of the tree. */
const placeIn = (
	output: string,
	isThere: (path: string) => boolean,
): {readonly path: string; readonly line: number; readonly text: string} | undefined => {
	for (const text of output.split('\n')) {
		for (const [, path = '', line] of text.matchAll(/([\w@.+/-]+\.\w+)[:(](\d+)/g)) {
			const inside = path.replace(/^\.?\//, '');
			if (isThere(inside)) {
				return {path: inside, line: Number(line), text: text.trim().slice(0, 300)};
			}
		}
	}

	return undefined;
};

/** Returns the last thing that a run said. */
export const lastLine = (output: string): string =>
	(output.trimEnd().split('\n').at(-1) ?? '').trim().slice(0, 200) || 'it said nothing';
