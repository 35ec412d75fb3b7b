import {expect, test} from 'vitest';
import {checkoutElsewhere} from '../../../../src/supervisor/merging/target-move.ts';
import {git} from '../../../helpers/repository.ts';
import {makeSupervised} from '../../world.ts';

test('a checkout that is not on the target is named, with the branch that it is on', async () => {
	const {world} = await makeSupervised({'a.txt': 'a\n'});
	const {repository} = world;
	const notes = () => checkoutElsewhere(repository, 'main');
	expect(await notes()).toEqual([]);
	git(repository.root, 'switch', '--quiet', '-c', 'feature');
	expect(await notes()).toEqual([
		`${repository.root} is on feature and not on main: its files stay as they are when main moves.`,
	]);
	git(repository.root, 'switch', '--quiet', '--detach');
	expect(await notes()).toMatchObject([expect.stringContaining('is on no branch and not on main')]);
});

test('a checkout that is on another name of the target is on it', async () => {
	const {world} = await makeSupervised({'a.txt': 'a\n'});
	const {repository} = world;
	git(repository.root, 'symbolic-ref', 'refs/heads/trunk', 'refs/heads/main');
	expect(await checkoutElsewhere(repository, 'trunk')).toEqual([]);
});
