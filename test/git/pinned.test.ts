import {join} from 'node:path';
import {expect, test} from 'vitest';
import {collectGarbage} from '../../src/git/pinned.ts';
import {git, write} from '../helpers/repository.ts';
import {makeWorld} from './world.ts';

test('garbage is collected once it is old, since somebody may be about to pin what is young', async () => {
	const {store, tree} = await makeWorld({'a.txt': 'a\n'});
	write(tree, {'young.txt': 'young\n'});
	const young = git(store.gitDir, 'hash-object', '-w', join(tree, 'young.txt'));
	const has = () => git(store.gitDir, 'cat-file', '--batch-all-objects', '--batch-check');
	await collectGarbage(store, new Date(Date.now() - 60_000));
	expect(has()).toContain(young);
	await collectGarbage(store, new Date(Date.now() + 60_000));
	expect(has()).not.toContain(young);
});
