import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {findReversal} from '../../../src/git/target/reversal.ts';
import {movesOf} from '../../helpers/moves.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const lines = (first: string): string => `${first}\n${'line\n'.repeat(30)}`;

/** A repository in which a merge was published: `a.txt` changed, `new.txt` came, `gone.txt` went. */
export const makeMerged = async () => {
	const world = await makeWorld({'a.txt': lines('a'), 'b.txt': 'b\n', 'gone.txt': 'gone\n'});
	const {root, tree, repository, store, base: from} = world;
	write(tree, {'a.txt': lines('merged'), 'new.txt': 'new\n'});
	rmSync(join(tree, 'gone.txt'));
	const to = await world.commitWork();
	const moves = movesOf(world, from, to);
	await moves.merge();
	git(root, 'config', 'commit.gpgSign', 'false');
	return {
		...{...world, ...moves, from, to, lines},
		reversal: () => findReversal(repository, store, {target: 'main', from, to}),
	};
};
