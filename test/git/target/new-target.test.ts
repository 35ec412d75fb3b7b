import {expect, test} from 'vitest';
import {createBranch, requireCreatable} from '../../../src/git/target/new-target.ts';
import {git} from '../../helpers/repository.ts';
import {makeStore} from '../world.ts';

test.each([
	['@{-1}', 'git takes no branch of this name'],
	['@', 'git reads it as HEAD'],
	['refs/heads/next', 'a target is named without refs/heads/'],
	['next..', 'git takes no branch of this name'],
])('%s is refused as the name of a branch to come', async (name, why) => {
	const {repository, root} = await makeStore();
	git(root, 'checkout', '--quiet', '-b', 'before');
	git(root, 'checkout', '--quiet', '-');
	await expect(requireCreatable(repository, name)).rejects.toThrow(
		`There is no branch ${name}, and ${why}.`,
	);
});

test('a name with folders is one that a branch can have', async () => {
	const {repository, root, base} = await makeStore();
	await requireCreatable(repository, 'releases/2');
	await createBranch(repository, 'releases/2', base);
	expect(git(root, 'rev-parse', 'refs/heads/releases/2')).toBe(base);
});
