import {rmSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {lineOf} from '../../../src/git/process/result.ts';
import {sealed} from '../../../src/git/process/sealed.ts';
import {makeWorld} from '../world.ts';

/** A world with a snapshot, and a file that looks changed since and holds the same. */
const touchedSince = async () => {
	const world = await makeWorld({'same.txt': 'same\n', 'other.txt': 'other\n'});
	await world.snapshot();
	const longAgo = new Date('2020-01-01T00:00:00Z');
	utimesSync(join(world.tree, 'same.txt'), longAgo, longAgo);
	return world;
};

/** Returns what the kept index takes for changed as long as nobody reads the files. */
const seemsChanged = async ({store, folder, tree}: Awaited<ReturnType<typeof makeWorld>>) =>
	lineOf(
		await sealed({...store, index: join(folder, 'index'), workTree: tree}, [
			'diff-files',
			'--name-only',
		]),
	);

test('the index learns from a thorough snapshot which files only look changed', async () => {
	const world = await touchedSince();
	const before = await world.snapshot();
	expect(await seemsChanged(world)).toBe('same.txt');
	const thorough = await world.snapshot({isThorough: true});
	expect(thorough).toEqual(before);
	expect(await seemsChanged(world)).toBe('');
});

test('a thorough snapshot of files that go meanwhile is a snapshot', async () => {
	const world = await touchedSince();
	rmSync(join(world.tree, 'other.txt'));
	const {skipped} = await world.snapshot({isThorough: true});
	expect(skipped).toEqual([]);
	expect(await seemsChanged(world)).toBe('');
});
