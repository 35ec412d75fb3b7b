import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {printShown, readHunks, type ShownHunk} from '../../../src/rules/by-hand/hunk-lines.ts';
import {
	newSteps,
	partsOf,
	type Step,
	standingAfter,
	unresolved,
} from '../../../src/rules/by-hand/steps.ts';

const hunks = 4;
const pick = fc
	.constantFrom('left', 'right', 'base', 'left-right', 'right-left')
	.map(take => ({take}) as const);
const change: fc.Arbitrary<Step> = fc.oneof(
	{weight: 5, arbitrary: fc.record({do: fc.constant('pick'), hunk: fc.nat(hunks - 1), pick})},
	{
		weight: 1,
		arbitrary: fc.constantFrom('cc', null).map((content): Step => ({do: 'rewrite', content})),
	},
);
const step: fc.Arbitrary<Step> = fc.oneof(
	{weight: 3, arbitrary: change},
	{weight: 1, arbitrary: fc.constant<Step>({do: 'undo'})},
);
const steps = fc.array(step, {maxLength: 20});
const undo: Step = {do: 'undo'};

describe('steps of a resolution by hand', () => {
	test('any changes, taken back one by one, lead to where they began', () => {
		fc.assert(
			fc.property(steps, fc.array(change), (before, changes) => {
				const back = [...before, ...changes, ...changes.map(() => undo)];
				expect(standingAfter(back)).toEqual(standingAfter(before));
			}),
		);
	});

	test('of each hunk the last pick since the file was rewritten counts, and no other hunk is resolved', () => {
		fc.assert(
			fc.property(fc.array(change), changes => {
				const standing = standingAfter(changes);
				const since = changes.slice(changes.findLastIndex(({do: what}) => what === 'rewrite') + 1);
				for (let hunk = 0; hunk < hunks; hunk++) {
					const last = since.findLast(one => one.do === 'pick' && one.hunk === hunk);
					const expected = last?.do === 'pick' ? last.pick : undefined;
					expect(standing.picks.get(hunk)).toEqual(expected);
					expect(unresolved(standing, hunks).includes(hunk)).toBe(expected === undefined);
				}
			}),
		);
	});

	test('a step back where nothing was done changes nothing', () => {
		expect(standingAfter([undo, undo])).toEqual(standingAfter([]));
	});

	test('each way to settle a hunk says what it is made of, in that order', () => {
		expect(partsOf({take: 'left-right'})).toEqual(['left', 'right']);
		expect(partsOf({take: 'right-left'})).toEqual(['right', 'left']);
		expect(partsOf({take: 'base'})).toEqual(['base']);
	});
});

describe('steps that are sent', () => {
	test('arrive once and in order, however often and in whatever order they are sent', () => {
		fc.assert(
			fc.property(steps, steps, fc.array(fc.nat(20)), (before, taken, sendings) => {
				let known = before;
				for (const count of [...sendings, taken.length]) {
					known = [...known, ...(newSteps(known, before.length, taken.slice(0, count)) ?? [])];
				}

				expect(known).toEqual([...before, ...taken]);
			}),
		);
	});

	test('by somebody who saw something else are not taken', () => {
		const left: Step = {do: 'pick', hunk: 0, pick: {take: 'left'}};
		const right: Step = {do: 'pick', hunk: 0, pick: {take: 'right'}};
		expect(newSteps([left], 0, [right])).toBeUndefined();
		expect(newSteps([left], 0, [left, right])).toEqual([right]);
		expect(newSteps([], 1, [right])).toBeUndefined();
	});
});

const line = fc.string({unit: 'grapheme', maxLength: 12}).map(text => text.replaceAll('\n', ''));
const lines = fc.array(line, {maxLength: 4});
const shownHunk: fc.Arbitrary<ShownHunk> = fc.record(
	{
		line: fc.integer({min: 1}),
		section: line,
		before: lines,
		left: lines,
		base: lines,
		right: lines,
		after: lines,
		open: fc.subarray(['left', 'base', 'right'] as const),
	},
	{requiredKeys: ['line', 'before', 'left', 'base', 'right', 'after', 'open']},
);

test('a file that is shown is read as what it is, whatever its lines say', () => {
	fc.assert(
		fc.property(
			fc.record({
				steps,
				remarks: lines,
				whole: fc.boolean(),
				hunks: fc.array(shownHunk, {maxLength: 3}),
			}),
			file => {
				expect(readHunks(printShown(file).split('\n'))).toEqual(file);
			},
		),
	);
});
