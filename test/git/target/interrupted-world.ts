import {expect} from 'vitest';
import {bringObjects} from '../../../src/git/store/transfer.ts';
import {clearUp} from '../../../src/git/target/interrupted/clear-up.ts';
import {moveFiles} from '../../../src/git/target/move-checkout.ts';
import {pictureOf, type Shuttle} from '../../helpers/kill-points.ts';
import {makeShuttle} from './shuttle-world.ts';

/** A publication that was cut off, and what somebody makes of it who doesn't go on with it. */
export const makeCutOff = async () => {
	const shuttle = await makeShuttle();
	const {root, repository, store, from, to} = shuttle;
	await bringObjects(repository, store, to);
	const before = pictureOf(root);
	const interrupted = [{from, to, since: new Date().toISOString()}];
	const clear = () => clearUp(repository, {target: 'main', store, interrupted});
	return {...shuttle, before, clear};
};

export const checkoutOf = ({root, repository}: Shuttle) => ({root, gitDir: repository.gitDir});

/** Moves files and index, so that only the branch is left to move. */
export const stage = async (shuttle: Shuttle): Promise<void> => {
	const {code} = await moveFiles(checkoutOf(shuttle), shuttle);
	expect(code).toBe(0);
};
