import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {asFailure, Failure} from '../../lib/failure.ts';
import {inShell} from '../../lib/text/shell-words.ts';
import {shortOid} from '../../lib/text/words.ts';
import {filtersInIndex} from '../filters/clean-filters.ts';
import {withTemporaryIndex} from '../index-entries.ts';
import type {Obstacle} from '../process/at-work.ts';
import {type Patience, withPatience} from '../process/patience.ts';
import {type GitResult, gitsWords, joinNul, killedCode} from '../process/result.ts';
import {user} from '../process/user.ts';
import {settingsLike} from '../read-settings.ts';
import type {Checkout} from '../repository/checkouts.ts';
import {goalOf, type Repository, tipOf} from '../repository/repository.ts';
import {bringObjects, type Store} from '../store/store.ts';
import {type Change, changes, newOf} from '../tree/changes.ts';
import {isAncestor} from '../tree/commit.ts';
import {submoduleMode} from '../tree/entry.ts';
import {beginMove, endMove, holdIndex} from './begun-move.ts';
import {recover} from './interrupted/recover.ts';
import {
	type CheckoutStep,
	moveCheckout,
	moveRef,
	prepareCheckout,
	refusedCode,
} from './move-checkout.ts';
import {createBranch, requireCreatable} from './new-target.ts';
import {noRoomFor} from './no-room-for.ts';
import {
	branchLock,
	findObstacle,
	heldIndex,
	holderOf,
	switchedAway,
	unwritableHint,
} from './obstacles.ts';

export type Move = CheckoutStep & {
	/** Limits after which slow gits are reported and ended. */
	readonly patience?: Patience;
};

export type Moved = {readonly moved: true} | ({readonly moved: false} & Obstacle);

/**
Moves a branch of the person's and their checkout, for a merge, an undo or a redo.

It is refused, with nothing changed, if an edit, an untracked or ignored file or an unfinished command is in the way. A branch that is at `to` has been moved already. The remains of an interrupted move are reverted first.

@throws `Failure` when a merge isn't a fast-forward.
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

const moveNow = async (
	repository: Repository,
	step: CheckoutStep,
): Promise<Obstacle | undefined> => {
	const {target, store, to} = step;
	const left = await recover(repository, store, 'killed');
	if (left !== undefined) {
		return left;
	}

	const tip = await tipOf(repository, target);
	if (tip === undefined && step.creates === true) {
		return (await createTarget(repository, step)) ?? advance(repository, step);
	}

	return tip === to ? undefined : (tipObstacle(step, tip) ?? (await advance(repository, step)));
};

/** Creates the branch. If the move is then refused or killed, the branch stays there for the next move. */
const createTarget = async (
	repository: Repository,
	{target, from}: CheckoutStep,
): Promise<Obstacle | undefined> => {
	await requireCreatable(repository, target);
	const result = await createBranch(repository, target, from);
	return result.code === 0
		? undefined
		: {
				cause: 'no-target',
				message: `Git can’t create the branch ${target}: ${gitsWords(result)}`,
				hint: unwritableHint(result) ?? 'Try again.',
			};
};

const advance = async (
	repository: Repository,
	step: CheckoutStep,
): Promise<Obstacle | undefined> => {
	const holder = await holderOf(repository, step.target);
	if (holder === undefined) {
		return advanceRef(repository, step);
	}

	return 'checkout' in holder
		? advanceCheckout(repository, step, holder.checkout)
		: holder.obstacle;
};

const advanceCheckout = async (
	repository: Repository,
	step: CheckoutStep,
	checkout: Checkout,
): Promise<Obstacle | undefined> => {
	const {store, target, from, to, what} = step;
	const changed = await changes(store, from, to);
	const look = () => findObstacle({repository, checkout, target, changed, what});
	return (
		(await look()) ??
		(await bringOrTell(repository, step)) ??
		(await rehearseFilters(store, checkout, {changes: changed, to, what})) ??
		attempt({repository, step, checkout, look})
	);
};

const advanceRef = async (
	repository: Repository,
	step: CheckoutStep,
): Promise<Obstacle | undefined> => {
	const look = async () =>
		(await branchLock({repository, target: step.target})) ?? (await checkedOut(repository, step));
	return (
		(await look()) ??
		(await bringOrTell(repository, step)) ??
		attempt({repository, step, checkout: undefined, look})
	);
};

type Attempt = {
	readonly repository: Repository;
	readonly step: CheckoutStep;
	readonly checkout: Checkout | undefined;
	/** Looks for obstacles again. */
	readonly look: () => Promise<Obstacle | undefined>;
};

/** Records the move, locks the index, and looks for obstacles again, since a person may have changed something in between. */
const attempt = async (given: Attempt): Promise<Obstacle | undefined> => {
	const {repository, step, checkout, look} = given;
	const {target, from, to} = step;
	try {
		await beginMove(repository, {target, from, to, checkout});
		const isOurs = checkout === undefined || (await holdIndex(checkout));
		const found = isOurs ? await look() : heldIndex(checkout);
		if (found !== undefined) {
			await endMove(repository, checkout);
			return found;
		}

		// Nothing is touched yet, so a failure leaves no trace.
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

/** Moves, and reverts git's changes unless it succeeded or refused at once. If that fails too, the move counts as interrupted. */
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

/** Returns whether a move is complete. It isn't if the person switched to another branch at the same time: its files must not stay. */
const isOver = async ({code}: GitResult, {step: {target}, checkout}: Attempt): Promise<boolean> =>
	code === refusedCode ||
	(code === 0 &&
		(checkout === undefined || (await switchedAway({checkout, target})) === undefined));

const wordsOf = (error: unknown): string =>
	String((error instanceof Error && error.cause) || error);

const bringOrTell = async (
	repository: Repository,
	step: CheckoutStep,
): Promise<Obstacle | undefined> => {
	const {store, to} = step;
	const result = await bringObjects(repository, store, to);
	return result.code === 0
		? undefined
		: ((await noRoomFor(repository, step, result)) ?? {
				cause: 'other',
				message: `Git can’t write the merge into your repository: ${gitsWords(result)}`,
				hint:
					unwritableHint(result) ??
					'Look at what git names in the merge; an agent may have made it.',
			});
};

/** Returns an obstacle if the branch was checked out just now, since its files would stay behind. */
const checkedOut = async (
	repository: Repository,
	{target}: CheckoutStep,
): Promise<Obstacle | undefined> =>
	(await holderOf(repository, target)) === undefined
		? undefined
		: {cause: 'other', message: `${target} was checked out just now.`, hint: 'Try again.'};

const requireForward = async ({store, from, to, what}: CheckoutStep): Promise<void> => {
	if (what === 'merge' && !(await isAncestor(store, from, to))) {
		throw new Failure('internal', `${to} is not a descendant of ${from}, so it can’t be merged.`);
	}
};

const tellRefusal = (error: unknown): Obstacle => {
	if (error instanceof Failure && error.kind === 'refused') {
		const {message, hint = 'Try again.'} = error;
		return {cause: 'other', message, hint};
	}

	throw error;
};

/** Result of an unsuccessful git; with `failure` we killed it. */
type Ending = {readonly result: GitResult; readonly failure: Failure | undefined};

/** Returns why a move failed although no obstacle was found before; `undefined` if the branch has arrived anyway. It doesn't look again after a git that hung, since that would hang too. */
const whyNotMoved = async (
	{repository, step, checkout, look}: Attempt,
	{result, failure}: Ending,
): Promise<Obstacle | undefined> => {
	const tip = await tipOf(repository, step.target);
	if (tip === step.to) {
		return undefined;
	}

	const found = failure === undefined ? (tipObstacle(step, tip) ?? (await look())) : undefined;
	return (
		found ??
		(await noRoomFor(repository, step, result, checkout)) ??
		asItEnded(step.target, {result, failure})
	);
};

const asItEnded = (target: string, {result, failure}: Ending): Obstacle => {
	if (failure === undefined && result.code !== killedCode) {
		// Git's status doesn't show edits of files with `assume-unchanged` or `skip-worktree`.
		const isEdit = /would be overwritten|not uptodate/.test(result.stderr);
		return {
			cause: isEdit ? 'dirty-checkout' : 'other',
			message: `Git refused to move ${target}: ${gitsWords(result)}`,
			hint:
				unwritableHint(result) ??
				'See what git says about your checkout: git status; lowercase letters and S in git ls-files -v mark files that git was told to ignore.',
		};
	}

	const {message = `Git was killed while it moved ${target}.`, hint = 'Try again.'} = failure ?? {};
	return {cause: 'other', message: `${message} Everything is as it was before.`, hint};
};

/** Runs the person's smudge filters on the files of a move, into a temporary folder. A filter that fails or hangs would otherwise stop git in the middle of the checkout, and might prevent us from reverting it. */
const rehearseFilters = async (
	store: Store,
	{root, gitDir}: Checkout,
	{changes, to, what}: {changes: readonly Change[]; to: string; what: 'merge' | 'undo'},
): Promise<Obstacle | undefined> => {
	const written = changes.filter(
		change => ![undefined, submoduleMode].includes(newOf(change)?.mode),
	);
	if (written.length === 0 || (await settingsLike(root, '^filter\\.')).length === 0) {
		return undefined;
	}

	return withTemporaryIndex(store, async index => {
		await user(root, ['read-tree', to], {index});
		// Git too uses the attributes of the new tree.
		const paths = written.map(({path}) => path);
		const filtered = [...(await filtersInIndex(root, index, paths)).keys()];
		if (filtered.length === 0) {
			return undefined;
		}

		const folder = join(dirname(index), 'files');
		await mkdir(folder);
		const result = await user(
			folder,
			[
				`--git-dir=${gitDir}`,
				`--work-tree=${folder}`,
				'checkout-index',
				'--quiet',
				'-z',
				'--stdin',
			],
			{index, input: joinNul(filtered), expect: 'any'},
		);
		return result.code === 0
			? undefined
			: {
					cause: 'other',
					message: `A filter of your git config can’t write the files of the ${what}: ${gitsWords(result)}`,
					hint: 'See that the filter works, then try again.',
					paths: filtered,
				};
	});
};

const tipObstacle = (
	{target, from}: CheckoutStep,
	tip: string | undefined,
): Obstacle | undefined => {
	if (tip === undefined) {
		return {
			cause: 'no-target',
			message: `There is no branch ${target}.`,
			hint: `Make it again: git branch ${inShell(target)} ${from}`,
		};
	}

	return tip === from
		? undefined
		: {
				cause: 'target-moved',
				message: `${target} has moved since the merge was made: it is at ${shortOid(tip)}, not at ${shortOid(from)}.`,
				hint: 'Merge again, on top of its new tip.',
			};
};
