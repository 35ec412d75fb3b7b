import {statSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {readBlob} from '../../../src/git/tree/blobs.ts';
import {entriesOf} from '../../../src/git/tree/listing.ts';
import {worktreeTree} from '../../../src/git/worktree/snapshot/snapshot.ts';
import {write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const secondOf = (timeMs: number): number => Math.floor(timeMs / 1000);

/** Returns a world whose file was edited within the second of its last snapshot, to a text of the same size. */
const editedAtOnce = async () => {
	const world = await makeWorld({'price.txt': '3.80\n'});
	const file = join(world.tree, 'price.txt');
	for (;;) {
		// The second must be young enough to hold a snapshot and an edit,
		// and old enough for the kernel, whose file times lag by a few milliseconds.
		await wait(1020 - (Date.now() % 1000));
		write(world.tree, {'price.txt': '3.90\n'});
		const before = secondOf(statSync(file).ctimeMs);
		await world.snapshot();
		write(world.tree, {'price.txt': '4.00\n'});
		if (secondOf(statSync(file).ctimeMs) === before) {
			// What looks at it is to come in a later second, as a watcher does.
			await wait(1000 - (Date.now() % 1000));
			return world;
		}
	}
};

test('an edit of the same size in the second of the last snapshot is seen', async () => {
	const world = await editedAtOnce();
	const priceIn = async (tree: string): Promise<string> => {
		const entry = (await entriesOf(world.store, tree)).get('price.txt');
		return String(await readBlob(world.store, entry?.oid ?? ''));
	};
	const index = join(world.folder, 'index');
	const parts = {tree: world.tree, index, seed: world.base};
	expect(await priceIn(await worktreeTree(world.store, parts))).toBe('4.00\n');
	expect(await priceIn((await world.snapshot()).commit)).toBe('4.00\n');
});
