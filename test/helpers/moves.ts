import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Repository} from '../../src/git/repository/repository.ts';
import type {Store} from '../../src/git/store/store.ts';
import {beginMove, folderOf, holdIndex, readBegunMove} from '../../src/git/target/begun-move.ts';
import {takeBackMove} from '../../src/git/target/interrupted/recover.ts';
import {type Move, moveTarget} from '../../src/git/target/move-target.ts';

type Place = {readonly root: string; readonly repository: Repository; readonly store: Store};

/** Returns functions that move `main` from one commit to another and back, and the steps of an interrupted move. */
export const movesOf = ({root, repository, store}: Place, from: string, to: string) => {
	const checkout = {root, gitDir: repository.gitDir};
	const main = {target: 'main', store};
	return {
		merge: (options: Partial<Move> = {}) =>
			moveTarget(repository, {...main, what: 'merge', from, to, ...options}),
		undo: (options: Partial<Move> = {}) =>
			moveTarget(repository, {...main, what: 'undo', from: to, to: from, ...options}),
		/** Begins a move, at another time if one is given. */
		begin: async (since?: Date) => {
			await beginMove(repository, {target: 'main', from, to, checkout});
			if (since !== undefined) {
				const record = {...(await readBegunMove(repository)), since};
				writeFileSync(join(folderOf(repository), 'move.json'), JSON.stringify(record));
			}
		},
		hold: () => holdIndex(checkout),
		clear: () => takeBackMove(repository, {store}),
	};
};
