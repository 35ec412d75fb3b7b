import {execFileSync} from 'node:child_process';
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

/** Returns how many bytes the young generation has after much was made that was soon of no use. */
const youngAfter = (begin: string): number => {
	const program = `
		import {getHeapSpaceStatistics} from 'node:v8';
		import {collectEarly} from ${JSON.stringify(new URL('../../src/lib/memory.ts', import.meta.url).href)};
		${begin}
		for (let round = 0; round < 10; round++) {
			Array.from({length: 100_000}, (_, number) => ({number, path: \`src/\${number}.ts\`}));
		}
		console.log(getHeapSpaceStatistics().find(one => one.space_name === 'new_space').space_size);
	`;
	return Number(execFileSync(process.execPath, ['--input-type=module', '-e', program]));
};

test('what is soon of no use takes little room where garbage is collected early', () => {
	expect(youngAfter('')).toBeGreaterThan(8 * 2 ** 20);
	expect(youngAfter('collectEarly();')).toBeLessThan(8 * 2 ** 20);
});
