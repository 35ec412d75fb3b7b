import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {mergeWork} from '../../../src/conflicts/input.ts';
import {blobSizes, readBlobs, writeBlob} from '../../../src/git/tree/blobs.ts';
import {entriesOf} from '../../../src/git/tree/listing.ts';
import {installInsteadOfGit} from '../../helpers/instead-of-git.ts';
import {twoSides} from '../../helpers/two-sides.ts';

const instead = installInsteadOfGit();

const sides = () => twoSides({base: {'a.txt': 'a\n'}, a: {'b.txt': 'b\n'}, b: {'c.txt': 'c\n'}});

const fails = 'echo "no more of it" >&2; exit 3';

test('the same work on the same commit is merged once', async () => {
	const {store, base, a, b} = await sides();
	const merged = await mergeWork(store, a, {base, commit: b});
	instead('merge-tree', fails);
	expect(await mergeWork(store, a, {base, commit: b})).toEqual(merged);
});

test('a merge that failed is tried again, whatever git printed', async () => {
	const {store, base, a, b} = await sides();
	instead('merge-tree', 'echo "half of it"; exit 3');
	await expect(mergeWork(store, a, {base, commit: b})).rejects.toThrow('git merge-tree failed');
	expect(await mergeWork(store, a, {base, commit: b})).toMatchObject({clean: true});
});

test('contents are read by one git, but one that was missing is looked for again', async () => {
	const {store, a} = await sides();
	const known = [...(await entriesOf(store, a))].map(([, {oid}]) => oid);
	const contents = await readBlobs(store, known);
	const later = Buffer.from('later\n');
	const oid = createHash('sha1').update(`blob ${later.length}\0`).update(later).digest('hex');
	expect([...(await readBlobs(store, [oid])), ...(await blobSizes(store, [oid]))]).toEqual([]);
	expect(await writeBlob(store, later)).toBe(oid);
	expect(await readBlobs(store, [oid])).toEqual(new Map([[oid, later]]));
	instead('cat-file', fails);
	expect(await readBlobs(store, known)).toEqual(contents);
	expect(contents.size).toBe(2);
});
