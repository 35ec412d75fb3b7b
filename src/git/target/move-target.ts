import {asFailure, Failure} from '../../lib/failure.ts';
import {shortOid} from '../../lib/text/short-oid.ts';
import {type Patience, withPatience} from '../process/patience.ts';
import {type GitResult, gitsWords, killedCode} from '../process/result.ts';
import {goalOf, refOf, tipOf} from '../repository/branch.ts';
import {type Checkout, holderOf} from '../repository/checkouts.ts';
import type {Repository} from '../repository/repository.ts';
import type {Store} from '../store/store.ts';
import {bringObjects} from '../store/transfer.ts';
import {changes} from '../tree/changes.ts';
import {unstage} from './interrupted/clear-up.ts';
import {type InterruptedMove, recover} from './interrupted/recover.ts';
import type {Recovery} from './interrupted/recovery.ts';
import {moveRef} from './move-checkout.ts';
import {moveWhole} from './move-whole.ts';
import {barredHint} from './obstacles/barred-hint.ts';
import {holderObstacle} from './obstacles/holder-obstacle.ts';
import {noRoomFor} from './obstacles/no-room-for.ts';
import {findObstacle, lockObstacle, type Obstacle} from './obstacles/obstacle.ts';
import {rehearse} from './obstacles/rehearse.ts';
import {rehearseFilters} from './obstacles/rehearse-filters.ts';
import {unwritableObstacle} from './obstacles/unwritable.ts';
import {strayed, switchedAway} from './switched.ts';

/** A move of a branch from one commit to another, along one line of history. */
export type Move = {
	/** Name of the branch. */
	readonly target: string;
	/** Where it must stand now. */
	readonly from: string;
	readonly to: string;
	/** Whether `to` comes after `from`, or before it. */
	readonly way: 'forward' | 'back';
	readonly store: Store;
	/** Earlier moves that nobody saw come to their end. */
	readonly interrupted: readonly InterruptedMove[];
	/** How long a git may stand still meanwhile, and who hears of it. */
	readonly patience?: Patience;
};

/**
Moves a branch of the person's, and their checkout with it; returns what stands against it, if something does.

Nothing of theirs is overwritten: not an edit, not an untracked or ignored file. A branch that is at `to` already has been moved. What an earlier try left behind is cleared up first. Their own programs, such as filters, may take their time; one that hangs is ended and told.
*/
export const moveTarget = (repository: Repository, move: Move): Promise<Obstacle | undefined> =>
	withPatience(move.patience ?? {}, async () => {
		const target = await goalOf(repository, move.target);
		return moveNow(repository, {...move, target}).catch(tellRefusal);
	});

/** Only a git that was ended is refused by a failure, and nothing was begun where that comes from. */
const tellRefusal = (error: unknown): Obstacle => {
	if (error instanceof Failure && error.kind === 'refused') {
		const {message, hint = 'Try again.'} = error;
		return {cause: 'other', message, hint};
	}

	throw error;
};

const moveNow = async (repository: Repository, move: Move): Promise<Obstacle | undefined> => {
	const {target, store, from, to} = move;
	for (const interrupted of move.interrupted) {
		const recovery = await recover(repository, store, {...interrupted, target});
		if (recovery.kind === 'blocked') {
			return recovery.obstacle;
		}

		if (recovery.kind === 'staged') {
			if (interrupted.from === from && interrupted.to === to && recovery.unmoved.length === 0) {
				return advanceRef(repository, move);
			}

			const obstacle = await unstage(recovery, store, {...interrupted, target});
			if (obstacle !== undefined) {
				return obstacle;
			}
		}
	}

	const tip = await tipOf(repository, target);
	return tip === to ? undefined : (tipObstacle(move, tip) ?? (await advance(repository, move)));
};

const tipObstacle = ({target, from}: Move, tip: string | undefined): Obstacle | undefined => {
	if (tip === undefined) {
		return {
			cause: 'no-target',
			message: `There is no branch ${target}.`,
			hint: `Make it again: git branch ${target} ${from}`,
		};
	}

	return tip === from
		? undefined
		: {
				cause: 'target-moved',
				message: `${target} has moved since the merge was made: it is at ${shortOid(tip)}, not at ${shortOid(from)}.`,
				hint: 'Merge again, on top of where it is now.',
			};
};

const advance = async (repository: Repository, move: Move): Promise<Obstacle | undefined> => {
	const holder = await holderOf(repository, refOf(move.target));
	switch (holder.kind) {
		case 'checkout':
			return advanceCheckout(repository, move, holder.checkout);
		case 'none':
			return advanceRef(repository, move);
		default:
			return holderObstacle(holder, move.target);
	}
};

const advanceCheckout = async (
	repository: Repository,
	move: Move,
	checkout: Checkout,
): Promise<Obstacle | undefined> => {
	const {store, from, to, way} = move;
	const changed = await changes(store, from, to);
	const what = way === 'forward' ? 'merge' : 'undo';
	const look = async () =>
		(await unwritableObstacle(checkout, changed, what)) ??
		(await findObstacle(checkout, changed, what));
	const found =
		(await look()) ??
		(await refLock(repository, move)) ??
		(await bringOrTell(repository, move)) ??
		(await rehearse(store, checkout, {from, to, what})) ??
		(await rehearseFilters(store, checkout, {changes: changed, to, what})) ??
		(await switchedAway(checkout, move));
	if (found !== undefined) {
		return found;
	}

	return attempt(repository, move, {
		look,
		run: () => moveWhole(checkout, move),
		checkout,
	});
};

const advanceRef = async (repository: Repository, move: Move): Promise<Obstacle | undefined> => {
	const found = (await refLock(repository, move)) ?? (await bringOrTell(repository, move));
	if (found !== undefined) {
		return found;
	}

	const look = async () => undefined;
	return attempt(repository, move, {look, run: () => moveRef(repository.root, move)});
};

type Attempt = {
	/** Looks for what of the person's is in the way. */
	readonly look: () => Promise<Obstacle | undefined>;
	readonly run: () => Promise<GitResult>;
	/** Whose files move along. */
	readonly checkout?: Checkout;
};

/**
A git that refuses has looked at everything first and leaves it as it was; after any other end but a good one, what it did is cleared up at once.

Where that can't be done, the move counts as cut off.
*/
const attempt = async (
	repository: Repository,
	move: Move,
	given: Attempt,
): Promise<Obstacle | undefined> => {
	const since = new Date().toISOString();
	let ended: Failure | undefined;
	const result = await given.run().catch((error): GitResult => {
		ended = asFailure(error);
		return {code: killedCode, stdout: Buffer.alloc(0), stderr: ''};
	});
	if (result.code === 0) {
		return strayed(repository, move);
	}

	const git = result.code === killedCode ? 'killed' : 'failed';
	const interrupted = {...move, since, git} as const;
	const recovery: Recovery = isRefusal(result)
		? {kind: 'clear'}
		: await recover(repository, move.store, interrupted);
	if (recovery.kind === 'blocked') {
		return {...recovery.obstacle, cause: 'cut-off'};
	}

	if (recovery.kind === 'staged') {
		if (recovery.unmoved.length === 0) {
			return stillBegun(await advanceRef(repository, move));
		}

		const obstacle = await unstage(recovery, move.store, interrupted);
		if (obstacle !== undefined) {
			return obstacle;
		}
	}

	return ended === undefined
		? explain(repository, move, result, given)
		: explainEnd(repository, move, ended);
};

/** Git's last word when something of the person's is in its way, before it touches anything. */
const isRefusal = ({code, stderr}: GitResult): boolean =>
	code !== killedCode && /^Aborting$/m.test(stderr);

/** A move of which only the branch is missing is not undone by an obstacle that may go away. */
const stillBegun = (obstacle: Obstacle | undefined): Obstacle | undefined =>
	obstacle === undefined || obstacle.cause === 'target-moved' || obstacle.cause === 'no-target'
		? obstacle
		: {...obstacle, cause: 'cut-off'};

const bringOrTell = async (repository: Repository, move: Move): Promise<Obstacle | undefined> => {
	const {store, to} = move;
	const result = await bringObjects(repository, store, to);
	return result.code === 0
		? undefined
		: ((await noRoomFor(repository, move, result)) ?? {
				cause: 'other',
				message: `Git doesn’t let the merge into your repository: ${gitsWords(result)}`,
				hint:
					barredHint(result) ?? 'Look at what git names in the merge; an agent may have made it.',
			});
};

const refLock = ({commonDir}: Repository, {target}: Move): Promise<Obstacle | undefined> =>
	lockObstacle(commonDir, [`${refOf(target)}.lock`]);

/** Looks again after an attempt that failed although nothing stood against it a moment before. */
const explain = async (
	repository: Repository,
	move: Move,
	result: GitResult,
	{look, checkout}: Attempt,
): Promise<Obstacle | undefined> => {
	const tip = await tipOf(repository, move.target);
	return tip === move.to
		? undefined
		: (tipObstacle(move, tip) ??
				(await look()) ??
				(await refLock(repository, move)) ??
				(await noRoomFor(repository, move, result, checkout)) ??
				refusal(move, result));
};

/** One that hung is not asked for the reason again: it would hang again. */
const explainEnd = async (
	repository: Repository,
	{target, to}: Move,
	{message, hint = 'Try again.'}: Failure,
): Promise<Obstacle | undefined> =>
	(await tipOf(repository, target)) === to
		? undefined
		: {cause: 'other', message: `${message} Everything is as it was before.`, hint};

const refusal = ({target}: Move, result: GitResult): Obstacle =>
	result.code === killedCode
		? {
				cause: 'other',
				message: `Git was killed while it moved ${target}; everything is as it was before.`,
				hint: 'Try again.',
			}
		: {
				cause: 'other',
				message: `Git refused to move ${target}: ${gitsWords(result)}`,
				hint: barredHint(result) ?? 'See what git says about your checkout: git status',
			};
