import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {pushedName} from '../../../src/git/target/push.ts';
import {commitAll, git, makeRepository, temporaryFolder} from '../../helpers/repository.ts';

test('git pushes a branch by its short name, or by its whole one where it would push something else', async () => {
	const root = makeRepository();
	const remote = join(temporaryFolder(), 'team.git');
	git(root, 'init', '--quiet', '--bare', remote);
	git(root, 'remote', 'add', 'origin', remote);
	const base = git(root, 'rev-parse', 'HEAD');
	git(root, 'tag', 'v1');
	for (const name of ['plain', '+plain', 'tag', 'v1']) {
		git(root, 'checkout', '--quiet', '-b', name, base);
		commitAll(root, name);
	}

	const repository = await openRepository(root);
	const pushed: string[] = [];
	for (const name of ['plain', '+plain', 'tag', 'v1']) {
		pushed.push(await pushedName(repository, name));
		git(root, 'push', '--quiet', 'origin', pushed.at(-1) ?? '');
	}

	expect(pushed).toEqual(['plain', 'refs/heads/+plain', 'refs/heads/tag', 'refs/heads/v1']);
	const heads = (folder: string) =>
		git(folder, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/*');
	git(root, 'branch', '--delete', '--force', 'main');
	expect(heads(remote)).toBe(heads(root));
});
