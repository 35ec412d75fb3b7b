import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';

const memory = new URL('../../src/lib/memory.ts', import.meta.url).href;

/** Returns what a program in a process of its own prints: a number. In a shared process other objects hold pages of the heap. */
const printed = (program: string): number =>
	Number(execFileSync(process.execPath, ['--input-type=module', '-e', program]));

test('what is needed no more is given back', () => {
	const program = `
		import {shrinkHeap} from ${JSON.stringify(memory)};
		let large = Array.from({length: 3_000_000}, (_, number) => ({number}));
		const {heapTotal} = process.memoryUsage();
		large = undefined;
		shrinkHeap();
		console.log(heapTotal - process.memoryUsage().heapTotal);
	`;
	expect(printed(program)).toBeGreaterThan(60 * 2 ** 20);
});

/** Returns how many bytes the young generation has after much was made that was soon of no use. */
const youngAfter = (begin: string): number => {
	const program = `
		import {getHeapSpaceStatistics} from 'node:v8';
		import {collectEarly} from ${JSON.stringify(memory)};
		${begin}
		for (let round = 0; round < 10; round++) {
			Array.from({length: 100_000}, (_, number) => ({number, path: \`src/\${number}.ts\`}));
		}
		console.log(getHeapSpaceStatistics().find(one => one.space_name === 'new_space').space_size);
	`;
	return printed(program);
};

test('what is soon of no use takes little room where garbage is collected early', () => {
	expect(youngAfter('')).toBeGreaterThan(8 * 2 ** 20);
	expect(youngAfter('collectEarly();')).toBeLessThan(8 * 2 ** 20);
});
