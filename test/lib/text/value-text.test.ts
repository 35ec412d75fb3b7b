import {expect, test} from 'vitest';
import {valueLines, valueText} from '../../../src/lib/text/words.ts';

test.each([
	['as it is', 'as it is'],
	[['a', 'b'], 'a, b'],
	[{coverage: 61, files: ['a', 'b']}, 'coverage: 61; files: a, b'],
	[{nested: {deep: [1, {x: 2}]}}, 'nested: {"deep":[1,{"x":2}]}'],
	[
		[
			{name: 'coverage', value: '91 %'},
			{name: 'p99', value: 2},
		],
		'name: coverage, value: 91 %; name: p99, value: 2',
	],
	[{p99: {min: 1, max: 2}}, 'p99: min: 1, max: 2'],
	[0.5, '0.5'],
	[null, 'null'],
	[undefined, ''],
])('%j is told as "%s"', (value, expected) => {
	expect(valueText(value)).toBe(expected);
});

test('each name of a value stands on a line of its own', () => {
	expect(valueLines({done: ['A'], next: 'B'})).toEqual(['done: A', 'next: B']);
	expect(valueLines([{a: 1, b: 'two'}, 'three'])).toEqual(['a: 1, b: two', 'three']);
	expect(valueLines('in words')).toEqual(['in words']);
	expect(valueLines(undefined)).toEqual([]);
});
