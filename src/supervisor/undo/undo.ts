import type {Asker} from '../../events/event.ts';
import type {Wait} from '../../git/process/patience.ts';
import {commitAsPerson} from '../../git/store/person-commit.ts';
import {pin} from '../../git/store/store.ts';
import {type Moved, moveTarget} from '../../git/target/move-target.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import type {UndoOffer} from '../../rules/undo-offer.ts';
import type {Intent} from '../../state/merge/merge.ts';
import {turning, undoOf} from '../../state/merge/publication.ts';
import {changedText} from '../../state/merge/surface-notes.ts';
import {waiting} from '../machine/survivors.ts';
import {namePaths} from '../show/show-side.ts';
import {requireSession} from '../world.ts';
import {findUndo, type UndoContext, type Way} from './undo-offer.ts';

/** A person's confirmation: the direction, the target's commit, and the digest of the changed git settings that they saw. */
export type Agreed = Pick<UndoOffer, 'turn' | 'merge'> & {
	readonly from?: string;
	readonly settings?: string;
};

/**
Undoes or redoes a merge, as a person agreed.

It checks again once no other operation holds the target. The intent is written before the target is touched, so that the next supervisor can finish after a crash.

@throws `Failure` of kind `refused`, with the obstacle; the target is unchanged then
*/
export const undo = (context: UndoContext, agreed: Agreed, asker?: Asker): Promise<UndoOffer> =>
	context.serially('target', async () => {
		const {offer, way} = await findUndo(context, agreed.turn);
		requireAgreed(offer, agreed);
		requireSettingsSeen(offer, agreed);
		const {merge, from} = offer;
		const to = way.kind === 'move' ? way.to : await commitOf(context, offer, way);
		await context.append([
			{kind: 'merge.intended', commit: to, from, undoes: merge, ...defined({asker})},
		]);
		await turnRound(context);
		return {...offer, to};
	});

/** Carries out an intended undo or redo, after a crash; does nothing if there is none. */
export const carryOut = async (context: UndoContext): Promise<void> => {
	// Without an intent, callers need not wait for a publication.
	if (undoOf(context.state()) !== undefined) {
		await context.serially('target', () => turnRound(context));
	}
};

const turnRound = async (context: UndoContext): Promise<void> => {
	const publication = turning(context.state());
	if (publication?.intent === undefined) {
		return;
	}

	const {from, to} = publication.intent;
	const outcome = await moveOrExplain(context, publication.intent);
	if (!outcome.moved) {
		const {cause, hint, paths = []} = outcome;
		const message = namePaths(outcome.message, paths);
		await context.append([{kind: 'merge.refused', commit: to, cause, message, hint}]);
		throw new Failure('refused', message, {hint});
	}

	const {
		phase,
		built: {commit, agents},
	} = publication;
	await context.append([
		phase === 'standing'
			? {kind: 'merge.undone', commit, from, to}
			: {kind: 'merge.published', commit: to, from, agents, redoes: commit},
	]);
};

/** Moves the target, and retries once: git may be killed at any point, even after the branch arrived, so the second try looks at everything as after a crash. A second failure counts as an interruption. */
const moveOrExplain = async (context: UndoContext, intent: Intent): Promise<Moved> => {
	try {
		return await move(context, intent).catch(() => move(context, intent));
	} catch (error) {
		const {target} = requireSession(context.state());
		return {
			moved: false,
			cause: 'interrupted',
			message: `The move of ${target} was cut off: ${asFailure(error).message}`,
			hint: 'Fix that, then try again; any leftovers are cleaned up first.',
		};
	}
};

const move = async (context: UndoContext, {from, to}: Intent): Promise<Moved> => {
	const {repository, store} = context;
	const {target} = requireSession(context.state());
	// The start of a wait may be recorded too late; its end is recorded in any case.
	const onWait = (wait: Wait | undefined) => void context.append([waiting(wait)]).catch(() => {});
	const step = {what: 'undo', target, from, to, store} as const;
	return moveTarget(repository, {...step, patience: {onWait}});
};

const requireAgreed = (offer: UndoOffer, agreed: Agreed): void => {
	if (
		offer.turn !== agreed.turn ||
		offer.merge !== agreed.merge ||
		(agreed.from !== undefined && offer.from !== agreed.from)
	) {
		throw new Failure('refused', 'Things have changed since you looked, so nothing was done.', {
			hint: 'look again: delegate-tui undo',
		});
	}
};

/** Throws if git settings have changed and the person hasn't seen the changes. */
const requireSettingsSeen = ({gitSettings}: UndoOffer, {settings}: Agreed): void => {
	if (gitSettings !== undefined && settings !== gitSettings.digest) {
		throw new Failure('refused', `Nothing was done. ${changedText(gitSettings)}`, {
			hint: 'look at what changed; delegate-tui undo asks again',
		});
	}
};

/** Creates the commit that reverts the changes, with the person as author, like the merge itself. */
const commitOf = async (
	context: UndoContext,
	offer: UndoOffer,
	{tree, from}: Extract<Way, {kind: 'commit'}>,
): Promise<string> => {
	const {store} = context;
	const {commit, unsigned} = await commitAsPerson(context.repository, store, {
		tree,
		parents: [from],
		message: messageOf(offer),
		at: context.now(),
	});
	if (unsigned !== undefined) {
		throw new Failure('refused', `Nothing was done: the commit could not be signed: ${unsigned}`, {
			hint: 'Make git commit able to sign, or turn signing off: git config commit.gpgSign false',
		});
	}

	await pin(store, {ref: `refs/delegate/${context.session}/result/${commit}`, oid: commit});
	return commit;
};

const messageOf = ({turn, subject, merge}: UndoOffer): string =>
	[
		turn === 'undo' ? `Revert "${subject}"` : `Reapply "${subject}"`,
		'',
		turn === 'undo'
			? `This takes back the merge ${merge}.`
			: `This brings back the merge ${merge}, which was taken back.`,
		'',
		'Made-by: delegate-tui',
		'',
	].join('\n');
