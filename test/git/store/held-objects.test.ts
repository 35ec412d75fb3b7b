import {join} from 'node:path';
import {expect, test} from 'vitest';
import {notHeldIn} from '../../../src/git/store/borrowed.ts';
import {git, makeRepository} from '../../helpers/repository.ts';

const names = ['HEAD', 'HEAD^{tree}', 'HEAD:a.txt', 'HEAD:b.txt'];

/** A repository, the ids of all that is in it and of something that isn't, and which of them its folder of objects doesn't hold. */
const holding = () => {
	const root = makeRepository({'a.txt': 'a\n', 'b.txt': 'b\n'});
	const ids = names.map(name => git(root, 'rev-parse', name));
	const strange = ['0'.repeat(40), 'f'.repeat(40)];
	const missing = () => notHeldIn(join(root, '.git/objects'), [...ids, ...strange, ...ids]);
	return {root, ids, strange, missing};
};

test('what lies in a file or a pack of its own is held', async () => {
	const {root, strange, missing} = holding();
	expect(await missing()).toEqual(strange);
	git(root, 'repack', '-a', '-d', '--quiet');
	git(root, 'prune-packed');
	expect(await missing()).toEqual(strange);
});

test('a pack with an index of the oldest kind counts as holding nothing', async () => {
	const {root, ids, strange, missing} = holding();
	git(root, '-c', 'pack.indexVersion=1', 'repack', '-a', '-d', '--quiet');
	git(root, 'prune-packed');
	expect(await missing()).toEqual([...ids, ...strange]);
});
