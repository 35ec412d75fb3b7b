import {shortOid} from '../../lib/text/short-oid.ts';
import {lineOf} from '../process/result.ts';
import {user} from '../process/user.ts';
import {refOf, tipOf} from '../repository/branch.ts';
import type {Checkout} from '../repository/checkouts.ts';
import type {Repository} from '../repository/repository.ts';
import type {Store} from '../store/store.ts';
import {isAncestor} from '../tree/commit.ts';
import type {Obstacle} from './obstacles/obstacle.ts';

type Move = {readonly target: string; readonly store: Store; readonly to: string};

/** Git moves what HEAD stands for; all that was looked at took its time, and the person had theirs. */
export const switchedAway = async (
	{root}: Checkout,
	{target}: Move,
): Promise<Obstacle | undefined> => {
	const head = await user(root, ['symbolic-ref', '--quiet', 'HEAD'], {expect: [0, 1]});
	return lineOf(head) === refOf(target)
		? undefined
		: {
				cause: 'other',
				message: `${root} was switched away from ${target} just now.`,
				hint: 'Try again.',
			};
};

/** A checkout that was switched in the very moment took its new branch along; what a person does after the move is theirs. */
export const strayed = async (
	repository: Repository,
	{target, store, to}: Move,
): Promise<Obstacle | undefined> => {
	const tip = await tipOf(repository, target);
	return tip === to || (tip !== undefined && (await isAncestor(store, to, tip)))
		? undefined
		: {
				cause: 'other',
				message: `Your checkout was switched away from ${target} in the moment of the move, so git moved the branch that it is on now to ${shortOid(to)}.`,
				hint: 'Put that branch back where it was: git reset --keep ORIG_HEAD',
			};
};
