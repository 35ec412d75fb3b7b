import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {asFailure, Failure} from '../../lib/failure.ts';
import {shortOid} from '../../lib/text/words.ts';
import {filtersInIndex} from '../filters/clean-filters.ts';
import {withTemporaryIndex} from '../index-entries.ts';
import type {Obstacle} from '../process/at-work.ts';
import {type Patience, withPatience} from '../process/patience.ts';
import {type GitResult, gitsWords, joinNul, killedCode} from '../process/result.ts';
import {user} from '../process/user.ts';
import {settingsLike} from '../read-settings.ts';
import {type Checkout, holderOf} from '../repository/checkouts.ts';
import {goalOf, type Repository, refOf, tipOf} from '../repository/repository.ts';
import {bringObjects, type Store} from '../store/store.ts';
import {type Change, changes, newOf} from '../tree/changes.ts';
import {isAncestor} from '../tree/commit.ts';
import {submoduleMode} from '../tree/entry.ts';
import {beginMove, endMove, holdIndex} from './begun-move.ts';
import {recover} from './interrupted/recover.ts';
import {moveCheckout, moveRef, prepareCheckout, refusedCode, type Step} from './move-checkout.ts';
import {noRoomFor} from './no-room-for.ts';
import {
	branchLock,
	findObstacle,
	heldIndex,
	holderObstacle,
	switchedAway,
	unwritableHint,
} from './obstacles.ts';

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
	const look = () => findObstacle({repository, checkout, target, changed, what});
	return (
		(await look()) ??
		(await bringOrTell(repository, step)) ??
		(await rehearseFilters(store, checkout, {changes: changed, to, what})) ??
		attempt({repository, step, checkout, look})
	);
};

const advanceRef = async (repository: Repository, step: Step): Promise<Obstacle | undefined> => {
	const look = async () =>
		(await branchLock({repository, target: step.target})) ?? (await checkedOut(repository, step));
	return (
		(await look()) ??
		(await bringOrTell(repository, step)) ??
		attempt({repository, step, checkout: undefined, look})
	);
};

/** A move that nothing stands against. */
type Attempt = {
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
	(code === 0 &&
		(checkout === undefined || (await switchedAway({checkout, target})) === undefined));

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

/** How a git ended that did not do what it was to do; with a failure, it was not let come to its end. */
type Ending = {readonly result: GitResult; readonly failure: Failure | undefined};

/**
Returns why a move came to nothing although nothing stood against it a moment before; nothing if the branch has arrived all the same.

What is in the way is looked for again, but with a git that hung: that would hang again.
*/
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
		// Git's status shows no edit of a file that it was told to assume unchanged, or to skip.
		const isEdit = /would be overwritten|not uptodate/.test(result.stderr);
		return {
			cause: isEdit ? 'dirty-checkout' : 'other',
			message: `Git refused to move ${target}: ${gitsWords(result)}`,
			hint:
				unwritableHint(result) ??
				'See what git says about your checkout: git status; small letters and S in git ls-files -v are files that it was told to overlook.',
		};
	}

	const {message = `Git was killed while it moved ${target}.`, hint = 'Try again.'} = failure ?? {};
	return {cause: 'other', message: `${message} Everything is as it was before.`, hint};
};

/**
Lets the person's filters write what a move brings, into a folder of ours.

One that fails or hangs would stop git in the middle of the checkout, and could keep us from putting it back. What a filter fetched for this is at hand for the move itself.
*/
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
		// The attributes are those of the tree that the move leads to, as they are for git.
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
					message: `A filter that your git is set up with can’t write what the ${what} brings: ${gitsWords(result)}`,
					hint: 'See that the filter works, then try again.',
					paths: filtered,
				};
	});
};

/** Returns why a branch can't be moved from where its tip is, if it is gone or elsewhere than the move begins. */
const tipObstacle = ({target, from}: Step, tip: string | undefined): Obstacle | undefined => {
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
