import {expect, expectTypeOf, test} from 'vitest';
import {omit} from '../../src/lib/values.ts';

type Shape =
	| {readonly kind: 'circle'; readonly at: number; readonly radius: number}
	| {readonly kind: 'dot'; readonly at: number; readonly size?: number};

const shapes: readonly Shape[] = [{kind: 'dot', at: 1, size: 2}];

test('fields that are named are left out, and the others stay in their order', () => {
	const from = {at: 1, kind: 'dot', size: undefined, note: null};
	const rest = omit(from, 'kind');

	expect(Object.entries(rest)).toEqual([
		['at', 1],
		['size', undefined],
		['note', null],
	]);
	expect(from.kind).toBe('dot');
});

test('a value that may be of several types still may, and only what all of them have is left out', () => {
	expectTypeOf(shapes.map(shape => omit(shape, 'at'))).toEqualTypeOf<
		(
			| {readonly kind: 'circle'; readonly radius: number}
			| {readonly kind: 'dot'; readonly size?: number}
		)[]
	>();
	// @ts-expect-error: circles alone have a radius
	expect(shapes.map(shape => omit(shape, 'radius'))).toEqual(shapes);
});
