import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {commitTree} from '../../../src/git/store/store.ts';
import {moveTarget} from '../../../src/git/target/move-target.ts';
import {findReversal} from '../../../src/git/target/reversal.ts';
import {git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const lines = (first: string): string => `${first}\n${'line\n'.repeat(30)}`;

/** A repository in which a merge was published: `a.txt` changed, `new.txt` came, `gone.txt` went. */
export const makeMerged = async () => {
	const world = await makeWorld({'a.txt': lines('a'), 'b.txt': 'b\n', 'gone.txt': 'gone\n'});
	const {root, tree, repository, store, base: from} = world;
	write(tree, {'a.txt': lines('merged'), 'new.txt': 'new\n'});
	rmSync(join(tree, 'gone.txt'));
	const to = await commitTree(store, {
		tree: (await world.snapshot()).tree,
		parents: [from],
		message: 'Work of AGT-001',
		at: '2026-11-21T20:00:00Z',
	});
	await moveTarget(repository, {what: 'merge', target: 'main', from, to, store});
	git(root, 'config', 'commit.gpgSign', 'false');
	return {
		...world,
		from,
		to,
		lines,
		reversal: () => findReversal(repository, store, {target: 'main', from, to}),
		goBack: () => moveTarget(repository, {what: 'undo', target: 'main', store, from: to, to: from}),
	};
};
