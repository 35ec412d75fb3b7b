import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {findReversal} from '../../../src/git/target/reversal.ts';
import {movesOf} from '../../helpers/moves.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const lines = (first: string): string => `${first}\n${'line\n'.repeat(30)}`;

/** A repository in which a merge can be published: `a.txt` changes, `new.txt` comes, `gone.txt` goes. */
export const makeMergeable = async () => {
	const world = await makeWorld({'a.txt': lines('a'), 'b.txt': 'b\n', 'gone.txt': 'gone\n'});
	const {root, tree, repository, store, base: from} = world;
	write(tree, {'a.txt': lines('merged'), 'new.txt': 'new\n'});
	rmSync(join(tree, 'gone.txt'));
	const to = await world.commitWork();
	const moves = movesOf(world, from, to);
	git(root, 'config', 'commit.gpgSign', 'false');
	return {
		...{...world, ...moves, from, to, lines},
		reversal: () => findReversal(repository, store, {target: 'main', from, to}),
	};
};

/** The same after the merge was published. */
export const makeMerged = async () => {
	const world = await makeMergeable();
	await world.merge();
	return world;
};
