import {expect, test} from 'vitest';
import {forEachConcurrent} from '../../src/lib/concurrency.ts';

test('so many things are done at a time, and all of them in the end', async () => {
	const done: number[] = [];
	let now = 0;
	let most = 0;
	await forEachConcurrent([1, 2, 3, 4, 5, 6, 7], 3, async number => {
		now += 1;
		most = Math.max(most, now);
		await Promise.resolve();
		now -= 1;
		done.push(number);
	});
	expect(most).toBe(3);
	expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('fewer things than lanes are done as well', async () => {
	const done: number[] = [];
	await forEachConcurrent(new Set([1]), 4, async number => {
		done.push(number);
	});
	expect(done).toEqual([1]);
});

test('what fails is told', async () => {
	const failing = forEachConcurrent([1, 2], 2, async number => {
		throw new Error(`no ${number}`);
	});
	await expect(failing).rejects.toThrow('no 1');
});
