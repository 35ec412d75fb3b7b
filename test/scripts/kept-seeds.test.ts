import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fromSeeds, keepSeed, keptSeeds, type SeedFile} from '../helpers/kept-seeds.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const fileOf = (keeps: boolean): SeedFile => {
	const path = join(temporaryFolder(), 'seeds.ndjson');
	writeFileSync(path, '');
	return {path, keeps};
};

const failAt = (bad: number, tried: number[]) => async (seed: number) => {
	tried.push(seed);
	if (seed === bad) {
		throw new Error('It failed.');
	}
};

test('a seed that failed is kept once, and tried again before any other from then on', async () => {
	const file = fileOf(true);
	const tried: number[] = [];
	for (const seed of [1, 7]) {
		await fromSeeds('dice', seed, failAt(7, tried), file).catch(() => {});
	}

	await expect(fromSeeds('dice', 3, failAt(7, tried), file)).rejects.toThrow('It failed.');
	expect(tried).toEqual([1, 7, 7]);
	expect(keptSeeds('dice', file)).toEqual([{what: 'dice', seed: 7}]);
	expect(keptSeeds('cards', file)).toEqual([]);
	tried.length = 0;
	await fromSeeds('dice', 3, failAt(0, tried), file);
	expect(tried).toEqual([7, 3]);
});

test('each way of a seed is kept, and nothing where nothing is to be kept', () => {
	const file = fileOf(true);
	for (const path of ['1', '2', '1']) {
		keepSeed({what: 'walks', seed: 7, path}, file);
	}

	expect(keptSeeds('walks', file).map(({path}) => path)).toEqual(['1', '2']);
	const other = fileOf(false);
	keepSeed({what: 'walks', seed: 7}, other);
	expect(keptSeeds('walks', other)).toEqual([]);
});
