import {asFailure, Failure} from '../../lib/failure.ts';
import {type Patience, withPatience} from '../process/patience.ts';
import {type GitResult, gitsWords, killedCode} from '../process/result.ts';
import {goalOf, refOf, tipOf} from '../repository/branch.ts';
import {type Checkout, holderOf} from '../repository/checkouts.ts';
import type {Repository} from '../repository/repository.ts';
import {bringObjects} from '../store/transfer.ts';
import {changes} from '../tree/changes.ts';
import {isAncestor} from '../tree/commit.ts';
import {beginMove, endMove, holdIndex} from './begun-move.ts';
import {recover} from './interrupted/recover.ts';
import {moveCheckout, moveRef, prepareCheckout, refusedCode, type Step} from './move-checkout.ts';
import {holderObstacle} from './obstacles/holder-obstacle.ts';
import {noRoomFor} from './obstacles/no-room-for.ts';
import {findObstacle, heldIndex, lockObstacle, type Obstacle} from './obstacles/obstacle.ts';
import {rehearseFilters} from './obstacles/rehearse-filters.ts';
import {switchedAway} from './obstacles/switched-away.ts';
import {tipObstacle} from './obstacles/tip-obstacle.ts';
import {unwritableObstacle} from './obstacles/unwritable.ts';
import {unwritableHint} from './obstacles/unwritable-hint.ts';
import {whyNotMoved} from './obstacles/why-not-moved.ts';

/** A move of a branch that stands at `from` to `to`, a commit of the store; a merge leads forward. */
export type Move = Step & {
	/** How long a git may stand still meanwhile, and who hears of it. */
	readonly patience?: Patience;
};

/** What became of a move: it is done, or something stands against it. */
export type Moved = {readonly moved: true} | ({readonly moved: false} & Obstacle);

/**
Moves a branch of the person's, and their checkout with it: for a merge, and to take one back or bring it back.

It happens only if nothing of theirs is in the way: not an edit, not an untracked or ignored file, not a command they haven't finished. When it is refused nothing has changed; a branch that is at `to` already has been moved. What an earlier try left behind is cleared up first. Their own programs, such as filters, may take their time; one that hangs is ended and told.

@throws `Failure` when a merge doesn't lead forward.
*/
export const moveTarget = async (
	repository: Repository,
	{patience = {}, ...step}: Move,
): Promise<Moved> => {
	await requireForward(step);
	const obstacle = await withPatience(patience, async () => {
		const target = await goalOf(repository, step.target);
		return moveNow(repository, {...step, target}).catch(tellRefusal);
	});
	return obstacle === undefined ? {moved: true} : {moved: false, ...obstacle};
};

const moveNow = async (repository: Repository, step: Step): Promise<Obstacle | undefined> => {
	const {target, store, to} = step;
	const left = await recover(repository, store, 'killed');
	if (left !== undefined) {
		return left;
	}

	const tip = await tipOf(repository, target);
	return tip === to ? undefined : (tipObstacle(step, tip) ?? (await advance(repository, step)));
};

const advance = async (repository: Repository, step: Step): Promise<Obstacle | undefined> => {
	const holder = await holderOf(repository, refOf(step.target));
	switch (holder.kind) {
		case 'checkout':
			return advanceCheckout(repository, step, holder.checkout);
		case 'none':
			return advanceRef(repository, step);
		default:
			return holderObstacle(holder, step.target);
	}
};

const advanceCheckout = async (
	repository: Repository,
	step: Step,
	checkout: Checkout,
): Promise<Obstacle | undefined> => {
	const {store, target, from, to, what} = step;
	const changed = await changes(store, from, to);
	const look = async () =>
		(await unwritableObstacle(checkout, changed, what)) ??
		(await findObstacle(checkout, changed, what)) ??
		(await refLock(repository, step)) ??
		(await switchedAway(checkout, target));
	return (
		(await look()) ??
		(await bringOrTell(repository, step)) ??
		(await rehearseFilters(store, checkout, {changes: changed, to, what})) ??
		attempt({repository, step, checkout, look})
	);
};

const advanceRef = async (repository: Repository, step: Step): Promise<Obstacle | undefined> => {
	const look = async () =>
		(await refLock(repository, step)) ?? (await checkedOut(repository, step));
	return (
		(await look()) ??
		(await bringOrTell(repository, step)) ??
		attempt({repository, step, checkout: undefined, look})
	);
};

/** A move that nothing stands against. */
export type Attempt = {
	readonly repository: Repository;
	readonly step: Step;
	/** Whose files move along, where the branch is checked out. */
	readonly checkout: Checkout | undefined;
	/** Looks again for what of the person's is in the way. */
	readonly look: () => Promise<Obstacle | undefined>;
};

/** Writes down what is about to be moved, holds its index, and looks again, since somebody may have come in before. */
const attempt = async (given: Attempt): Promise<Obstacle | undefined> => {
	const {repository, step, checkout, look} = given;
	const {target, from, to} = step;
	try {
		await beginMove(repository, {target, from, to, since: new Date().toISOString(), checkout});
		const isOurs = checkout === undefined || (await holdIndex(checkout));
		const found = isOurs ? await look() : heldIndex(checkout);
		if (found !== undefined) {
			await endMove(repository, checkout);
			return found;
		}

		// This may fail without a trace: nothing is touched yet.
		await (checkout && prepareCheckout(repository, checkout, from));
	} catch (error) {
		await endMove(repository, checkout);
		const full = await noRoomFor(repository, step, {stderr: wordsOf(error)}, checkout);
		if (full === undefined) {
			throw error;
		}

		return full;
	}

	return carryOut(given);
};

/**
A git that refuses has looked at everything first and leaves it as it was; after any other end but a good one, what it did is taken back at once.

Where that can't be done, the move counts as cut off.
*/
const carryOut = async (given: Attempt): Promise<Obstacle | undefined> => {
	const {repository, step, checkout} = given;
	let failure: Failure | undefined;
	const running = checkout
		? moveCheckout(repository, checkout, step)
		: moveRef(repository.root, step);
	const result = await running.catch((error): GitResult => {
		failure = asFailure(error);
		return {code: killedCode, stdout: Buffer.alloc(0), stderr: wordsOf(error)};
	});
	if (await isOver(result, given)) {
		await endMove(repository, checkout);
	} else {
		const git = result.code === killedCode ? 'killed' : 'failed';
		const left = await recover(repository, step.store, git);
		if (left !== undefined) {
			return {...left, cause: 'interrupted'};
		}
	}

	return result.code === 0 ? undefined : whyNotMoved(given, {result, failure});
};

/** Files that came with a branch which the checkout has left in the same moment, by a new branch, are not to stay. */
const isOver = async ({code}: GitResult, {step: {target}, checkout}: Attempt): Promise<boolean> =>
	code === refusedCode ||
	(code === 0 && (checkout === undefined || (await switchedAway(checkout, target)) === undefined));

/** What the system said of an error, be it ours or its own. */
const wordsOf = (error: unknown): string =>
	String((error instanceof Error && error.cause) || error);

const bringOrTell = async (repository: Repository, step: Step): Promise<Obstacle | undefined> => {
	const {store, to} = step;
	const result = await bringObjects(repository, store, to);
	return result.code === 0
		? undefined
		: ((await noRoomFor(repository, step, result)) ?? {
				cause: 'other',
				message: `Git doesn’t let the merge into your repository: ${gitsWords(result)}`,
				hint:
					unwritableHint(result) ??
					'Look at what git names in the merge; an agent may have made it.',
			});
};

const refLock = ({commonDir}: Repository, {target}: Step): Promise<Obstacle | undefined> =>
	lockObstacle(commonDir, `${refOf(target)}.lock`);

/** Looks whether a branch that nobody had checked out is checked out now, so that its files would be left behind. */
const checkedOut = async (repository: Repository, {target}: Step): Promise<Obstacle | undefined> =>
	(await holderOf(repository, refOf(target))).kind === 'none'
		? undefined
		: {cause: 'other', message: `${target} was checked out just now.`, hint: 'Try again.'};

const requireForward = async ({store, from, to, what}: Step): Promise<void> => {
	if (what === 'merge' && !(await isAncestor(store, from, to))) {
		throw new Failure('internal', `${to} doesn’t come after ${from}, so it can’t be merged.`);
	}
};

/** Only a git that was ended is refused by a failure, and nothing was begun where that comes from. */
const tellRefusal = (error: unknown): Obstacle => {
	if (error instanceof Failure && error.kind === 'refused') {
		const {message, hint = 'Try again.'} = error;
		return {cause: 'other', message, hint};
	}

	throw error;
};
