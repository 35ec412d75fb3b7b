import type {Evidence} from '../../events/finding.ts';
import {sanitize, withoutColors} from '../../lib/text/sanitize.ts';
import {type FindingOf, keyOf} from '../finding.ts';
import {failureLocations} from './failure-locations.ts';

/** Result of a test run on one tree. */
export type TestRun = {readonly ok: boolean; readonly output: string};

/** Runs the tests on a commit; `again` requests a second run if the first may have failed by chance. */
export type RunTests = (commit: string, options?: {readonly again: true}) => Promise<TestRun>;

/** Two commits and their merge by git. */
export type MergedPair = {
	/** Their merge base. */
	readonly base: string;
	readonly a: {readonly commit: string; readonly paths: readonly string[]};
	readonly b: {readonly commit: string; readonly paths: readonly string[]};
	readonly merged: string;
	/** All paths of the merged tree. */
	readonly paths: Iterable<string>;
	/** Returns lines that a side changed, those in the named files first. */
	readonly changed: (side: 'a' | 'b', named: readonly string[]) => Promise<readonly Evidence[]>;
};

/** The verdict of the tests on a pair; `red alone`: commits that fail without the merge. */
export type TestVerdict =
	| {readonly kind: 'green'}
	| {readonly kind: 'found'; readonly finding: FindingOf<'TEST_CONFLICT'>}
	/** `base`: it failed before either of them. */
	| {readonly kind: 'red alone'; readonly who: readonly ('base' | 'a' | 'b')[]};

/**
T4: tests that fail on the merge and pass on both sides.

A failure is run twice before it is reported; one that passes the second time is a note. A side that fails by itself is not blamed on the pair, and a failure of the base on no side.
*/
export const testTogether = async (pair: MergedPair, run: RunTests): Promise<TestVerdict> => {
	const merged = await run(pair.merged);
	if (merged.ok) {
		return {kind: 'green'};
	}

	const [a, b] = [await run(pair.a.commit), await run(pair.b.commit)];
	if (!a.ok || !b.ok) {
		const before = await run(pair.base);
		const sides = [...(a.ok ? [] : ['a' as const]), ...(b.ok ? [] : ['b' as const])];
		return {kind: 'red alone', who: before.ok ? sides : ['base']};
	}

	const again = await run(pair.merged, {again: true});
	return {kind: 'found', finding: await (again.ok ? flaky(pair, merged) : broken(pair, again))};
};

const broken = async (
	pair: MergedPair,
	{output}: TestRun,
): Promise<FindingOf<'TEST_CONFLICT'>> => ({
	...(await findingOf(pair, output)),
	blocking: true,
	confidence: 'high',
	summary: `The tests pass on each side and fail on the merge: ${lastLine(output)}`,
});

const flaky = async (pair: MergedPair, {output}: TestRun): Promise<FindingOf<'TEST_CONFLICT'>> => ({
	...(await findingOf(pair, output)),
	blocking: false,
	confidence: 'low',
	summary: `The tests failed on the merge and passed when they were run again: ${lastLine(output)}`,
});

const findingOf = async (pair: MergedPair, output: string) => {
	const locations = failureLocations(output, pair.paths);
	const [location] = locations;
	const path = location?.path ?? pair.a.paths[0] ?? '';
	const named = locations.map(({path}) => path);
	const [a, b] = [await pair.changed('a', named), await pair.changed('b', named)];
	const failing = (['a', 'b'] as const)
		.filter(side => location !== undefined && pair[side].paths.includes(location.path))
		.map(side => ({side, path, ...(location && {line: location.line, text: location.text})}));
	return {
		type: 'TEST_CONFLICT',
		rule: 'T4',
		path,
		key: keyOf('T4', path),
		evidence: [...failing, ...a, ...b],
		...(location && {
			confirmed: {by: 'the tests', text: `${location.path}:${location.line} ${location.text}`},
		}),
	} as const;
};

/** Returns the last line of a run's output. */
export const lastLine = (output: string): string =>
	sanitize(withoutColors(output.trimEnd().split('\n').at(-1) ?? '').trim()).slice(0, 200) ||
	'it said nothing';
