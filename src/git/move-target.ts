import {refOf, tipOf} from './branch.ts';
import {changes} from './changes.ts';
import {type Checkout, type Holder, holderOf} from './checkouts.ts';
import {type CutOff, type Settled, settle} from './cut-off.ts';
import {moveCheckout, moveRef} from './move-checkout.ts';
import {findObstacle, inProgress, lockObstacle, type Obstacle} from './obstacle.ts';
import {rehearse} from './rehearse.ts';
import type {Repository} from './repository.ts';
import {type GitResult, gitsWords, killedCode} from './result.ts';
import type {Store} from './store.ts';
import {bringObjects} from './transfer.ts';

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
	readonly cutOffs: readonly CutOff[];
};

/**
Moves a branch of the person's, and their checkout with it; returns what stands against it, if something does.

Nothing of theirs is overwritten: not an edit, not an untracked or ignored file. A branch that is at `to` already has been moved. What an earlier try left behind is cleared up first.
*/
export const moveTarget = async (
	repository: Repository,
	move: Move,
): Promise<Obstacle | undefined> => {
	const {target, store, from, to} = move;
	for (const cutOff of move.cutOffs) {
		const settled = await settle(repository, store, {...cutOff, target});
		if (settled.kind === 'blocked') {
			return settled.obstacle;
		}

		if (settled.kind === 'staged' && cutOff.from === from && cutOff.to === to) {
			return advanceRef(repository, move);
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
				message: `${target} has moved since the merge was made: it is at ${tip.slice(0, 10)}, not at ${from.slice(0, 10)}.`,
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
			return holderObstacle(holder);
	}
};

const holderObstacle = (holder: Holder & {readonly kind: 'gone' | 'rebase'}): Obstacle =>
	holder.kind === 'rebase'
		? inProgress('rebase', holder.root)
		: {
				cause: 'other',
				message: `The branch is checked out in ${holder.root}, and that folder is gone.`,
				hint: 'Bring the folder back, or let git forget it: git worktree prune',
			};

const advanceCheckout = async (
	repository: Repository,
	move: Move,
	checkout: Checkout,
): Promise<Obstacle | undefined> => {
	const {store, from, to, way} = move;
	const changed = await changes(store, from, to);
	const what = way === 'forward' ? 'merge' : 'undo';
	const look = () => findObstacle(checkout, changed, what);
	const found =
		(await look()) ??
		(await refLock(repository, move)) ??
		(await bringOrTell(repository, move)) ??
		(await rehearse(store, checkout, {from, to, what}));
	if (found !== undefined) {
		return found;
	}

	return attempt(repository, move, look, () => moveCheckout(checkout, move));
};

const advanceRef = async (repository: Repository, move: Move): Promise<Obstacle | undefined> => {
	const found = (await refLock(repository, move)) ?? (await bringOrTell(repository, move));
	if (found !== undefined) {
		return found;
	}

	const look = async () => undefined;
	return attempt(repository, move, look, () => moveRef(repository.root, move));
};

/** A git that refuses leaves all as it was; one that was killed may not, and is cleared up after at once. */
const attempt = async (
	repository: Repository,
	move: Move,
	look: () => Promise<Obstacle | undefined>,
	run: () => Promise<GitResult>,
): Promise<Obstacle | undefined> => {
	const since = new Date().toISOString();
	const result = await run();
	if (result.code === 0) {
		return undefined;
	}

	const settled: Settled =
		result.code === killedCode
			? await settle(repository, move.store, {...move, since})
			: {kind: 'clear'};
	switch (settled.kind) {
		case 'blocked':
			return settled.obstacle;
		case 'staged':
			return advanceRef(repository, move);
		case 'clear':
			return explain(repository, move, result, look);
	}
};

const bringOrTell = async (
	repository: Repository,
	{store, to}: Move,
): Promise<Obstacle | undefined> => {
	const result = await bringObjects(repository, store, to);
	return result.code === 0
		? undefined
		: {
				cause: 'other',
				message: `Git doesn’t let the merge into your repository: ${gitsWords(result)}`,
				hint: 'Look at what git names in the merge; an agent may have made it.',
			};
};

const refLock = ({commonDir}: Repository, {target}: Move): Promise<Obstacle | undefined> =>
	lockObstacle(commonDir, [`${refOf(target)}.lock`]);

/** Looks again after an attempt that failed although nothing stood against it a moment before. */
const explain = async (
	repository: Repository,
	move: Move,
	result: GitResult,
	look: () => Promise<Obstacle | undefined>,
): Promise<Obstacle | undefined> => {
	const tip = await tipOf(repository, move.target);
	return tip === move.to
		? undefined
		: (tipObstacle(move, tip) ??
				(await look()) ??
				(await refLock(repository, move)) ??
				refusal(move, result));
};

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
				hint: 'See what git says about your checkout: git status',
			};
