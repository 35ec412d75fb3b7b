import {expect, test} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {missingSubmodules} from '../../../src/git/worktree/submodules.ts';
import {git, makeRepository, write} from '../../helpers/repository.ts';

test('a submodule is missing where its commit is, and where its git folder is gone', async () => {
	const root = makeRepository();
	const oid = git(root, 'rev-parse', 'HEAD');
	git(root, 'clone', '--quiet', '.', 'here');
	write(root, {'moved/.git': 'gitdir: ../.git/modules/moved\n'});
	for (const path of ['here', 'moved', 'never']) {
		git(root, 'update-index', '--add', '--cacheinfo', `160000,${oid},${path}`);
	}

	git(root, 'commit', '--quiet', '--message', 'submodules');
	expect(await missingSubmodules(await openRepository(root))).toEqual(['moved', 'never']);
});
