import {bringObjects} from '../../../src/git/store/store.ts';
import {pictureOf, type Shuttle} from '../../helpers/kill-points.ts';
import {movesOf} from '../../helpers/moves.ts';
import {git} from '../../helpers/repository.ts';
import {makeShuttle} from './shuttle-world.ts';

/** A publication that was cut off, and what somebody makes of it who doesn't go on with it. */
export const makeInterrupted = async () => {
	const shuttle = await makeShuttle();
	const {root, repository, store, from, to} = shuttle;
	await bringObjects(repository, store, to);
	const before = pictureOf(root);
	const moves = movesOf(shuttle, from, to);
	await moves.begin();
	return {...shuttle, ...moves, before};
};

/** Moves files and index, so that only the branch is left to move. */
export const stage = ({root, from, to}: Shuttle): void => {
	git(root, 'read-tree', '-m', '-u', from, to);
};
