import {expect, test} from 'vitest';
import {shrinkHeap} from '../../src/lib/memory.ts';

test('what is needed no more is given back', () => {
	let large: readonly object[] | undefined = Array.from({length: 3_000_000}, (_, number) => ({
		number,
	}));
	const {heapTotal} = process.memoryUsage();
	expect(large.at(-1)).toEqual({number: 2_999_999});
	large = undefined;
	shrinkHeap();
	expect(heapTotal - process.memoryUsage().heapTotal).toBeGreaterThan(60 * 2 ** 20);
	expect(large).toBeUndefined();
});
