import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {holderOf} from '../../src/git/checkouts.ts';
import {openRepository} from '../../src/git/repository.ts';
import {git, hermeticHome, makeRepository, temporaryFolder} from '../helpers/repository.ts';

test('a checkout whose folder is gone holds its own branch, and no other one', async () => {
	hermeticHome();
	const root = makeRepository();
	const gone = join(temporaryFolder(), 'gone');
	git(root, 'worktree', 'add', '--quiet', '-b', 'other', gone);
	git(root, 'branch', 'free');
	rmSync(gone, {recursive: true});
	const repository = await openRepository(root);
	expect(await holderOf(repository, 'refs/heads/other')).toEqual({kind: 'gone', root: gone});
	expect(await holderOf(repository, 'refs/heads/free')).toEqual({kind: 'none'});
});

test('a checkout that is none here, as one that was made elsewhere, keeps nobody from finding another', async () => {
	hermeticHome();
	const root = makeRepository();
	const elsewhere = join(temporaryFolder(), 'elsewhere');
	git(root, 'worktree', 'add', '--quiet', '-b', 'other', elsewhere);
	writeFileSync(join(elsewhere, '.git'), 'gitdir: /workspaces/project/.git/worktrees/elsewhere\n');
	const repository = await openRepository(root);
	expect(await holderOf(repository, 'refs/heads/main')).toMatchObject({kind: 'checkout'});
});
