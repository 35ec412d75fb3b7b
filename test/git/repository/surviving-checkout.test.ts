import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {survivingCheckout} from '../../../src/git/repository/checkouts.ts';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {git, makeRepository, temporaryFolder} from '../../helpers/repository.ts';

/** A linked worktree, opened. */
const openLinked = async (root: string) => {
	const linked = join(temporaryFolder(), 'linked');
	git(root, 'worktree', 'add', '--quiet', '-b', 'other', linked);
	return openRepository(linked);
};

test('a repository is seen from another checkout when the one that it was opened in is gone', async () => {
	const root = makeRepository({'a.txt': 'a\n'});
	const linked = await openLinked(root);
	expect(await survivingCheckout(linked)).toBe(linked);
	rmSync(linked.root, {recursive: true});
	expect(await survivingCheckout(linked)).toEqual(await openRepository(root));
	git(root, 'worktree', 'prune');
	expect(await survivingCheckout(linked)).toEqual(await openRepository(root));
});

test('where no checkout is left, the git folder stands in for one', async () => {
	const bare = join(temporaryFolder(), 'bare.git');
	git(makeRepository({'a.txt': 'a\n'}), 'clone', '--quiet', '--bare', '.', bare);
	const linked = await openLinked(bare);
	git(bare, 'worktree', 'remove', linked.root);
	expect(await survivingCheckout(linked)).toEqual({...linked, root: bare, gitDir: bare});
	rmSync(bare, {recursive: true});
	expect(await survivingCheckout(linked)).toBe(linked);
});
