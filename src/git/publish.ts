import {Failure} from '../lib/failure.ts';
import {refOf, tipOf} from './branch.ts';
import {changes} from './changes.ts';
import {type Checkout, type Holder, holderOf} from './checkouts.ts';
import {findObstacle, inProgress, lockObstacle, type Obstacle} from './obstacle.ts';
import {rehearse} from './rehearse.ts';
import type {Repository} from './repository.ts';
import {type GitResult, gitsWords} from './result.ts';
import {sealed} from './sealed.ts';
import type {Store} from './store.ts';
import {bringObjects} from './transfer.ts';
import {user} from './user.ts';

export type Publication = {
	/** Name of the branch. */
	readonly target: string;
	/** Where it must stand now. */
	readonly from: string;
	/** A commit of the store, after `from`. */
	readonly to: string;
	readonly store: Store;
};

export type Published = {readonly published: true} | ({readonly published: false} & Obstacle);

/**
Moves a branch of the person's forward to a commit of the store, and their checkout with it.

That is one fast-forward, and it happens only if nothing of theirs is in the way: not an edit, not an untracked or ignored file, not a command they haven't finished. When it is refused nothing has changed; a branch that is at `to` already counts as published.

@throws `Failure` when `to` doesn't come after `from`.
*/
export const publish = async (
	repository: Repository,
	publication: Publication,
): Promise<Published> => {
	const tip = await tipOf(repository, publication.target);
	if (tip === publication.to) {
		return {published: true};
	}

	const obstacle = tipObstacle(publication, tip) ?? (await advance(repository, publication));
	return obstacle === undefined ? {published: true} : {published: false, ...obstacle};
};

const tipObstacle = (
	{target, from}: Publication,
	tip: string | undefined,
): Obstacle | undefined => {
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

const advance = async (
	repository: Repository,
	publication: Publication,
): Promise<Obstacle | undefined> => {
	await requireForward(publication);
	const holder = await holderOf(repository, refOf(publication.target));
	switch (holder.kind) {
		case 'checkout':
			return advanceCheckout(repository, publication, holder.checkout);
		case 'none':
			return advanceRef(repository, publication);
		default:
			return holderObstacle(holder);
	}
};

const requireForward = async ({store, from, to}: Publication): Promise<void> => {
	const {code} = await sealed(store, ['merge-base', '--is-ancestor', from, to], {expect: [0, 1]});
	if (code === 1) {
		throw new Failure('internal', `${to} doesn’t come after ${from}, so it can’t be published.`);
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
	publication: Publication,
	checkout: Checkout,
): Promise<Obstacle | undefined> => {
	const {store, from, to} = publication;
	const changed = await changes(store, from, to);
	const found = (await findObstacle(checkout, changed)) ?? (await refLock(repository, publication));
	if (found !== undefined) {
		return found;
	}

	const unfit =
		(await bringOrTell(repository, publication)) ?? (await rehearse(store, checkout, publication));
	if (unfit !== undefined) {
		return unfit;
	}

	const result = await fastForward(checkout, publication);
	return result.code === 0
		? undefined
		: explain(repository, publication, result, () => findObstacle(checkout, changed));
};

/**
Settings such as `merge.autoStash` or `branch.<name>.mergeOptions` would make it more than a fast-forward, so they are overruled.

`--no-overwrite-ignore` is what protects ignored files, and git heeds it for a fast-forward only.
*/
const fastForward = ({root}: Checkout, {target, to}: Publication): Promise<GitResult> =>
	user(
		root,
		[
			'-c',
			`branch.${target}.mergeOptions=`,
			'merge',
			'--ff-only',
			'--no-overwrite-ignore',
			'--no-autostash',
			'--no-squash',
			'--no-verify-signatures',
			'--no-stat',
			'--quiet',
			to,
		],
		{expect: 'any'},
	);

const advanceRef = async (
	repository: Repository,
	publication: Publication,
): Promise<Obstacle | undefined> => {
	const {target, from, to} = publication;
	const found =
		(await refLock(repository, publication)) ?? (await bringOrTell(repository, publication));
	if (found !== undefined) {
		return found;
	}

	const args = ['update-ref', '-m', 'delegate-tui: fast-forward', refOf(target), to, from];
	const result = await user(repository.root, args, {expect: 'any'});
	return result.code === 0
		? undefined
		: explain(repository, publication, result, async () => undefined);
};

const bringOrTell = async (
	repository: Repository,
	{store, to}: Publication,
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

const refLock = ({commonDir}: Repository, {target}: Publication): Promise<Obstacle | undefined> =>
	lockObstacle(commonDir, [`${refOf(target)}.lock`]);

/** Looks again after an attempt that failed although nothing stood against it a moment before. */
const explain = async (
	repository: Repository,
	publication: Publication,
	result: GitResult,
	look: () => Promise<Obstacle | undefined>,
): Promise<Obstacle> =>
	tipObstacle(publication, await tipOf(repository, publication.target)) ??
	(await look()) ??
	(await refLock(repository, publication)) ?? {
		cause: 'other',
		message: `Git refused to move ${publication.target}: ${gitsWords(result)}`,
		hint: 'See what git says about your checkout: git status',
	};
