import {isAncestor} from '../../git/commit.ts';
import {identity} from '../../git/identity.ts';
import type {Wait} from '../../git/patience.ts';
import {commitTree, pin} from '../../git/store.ts';
import {publish} from '../../git/target/publish.ts';
import {takeBack} from '../../git/target/take-back.ts';
import {Failure} from '../../lib/failure.ts';
import {changedText} from '../../state/git-settings.ts';
import {waiting} from '../machine/waiting.ts';
import {requireSession} from '../require-session.ts';
import {namePaths} from '../show/name-paths.ts';
import {findUndo, type UndoGround, type UndoOffer} from './undo-offer.ts';
import type {Way} from './why-impossible.ts';

/** What a person agreed to: the turn, where the target stood, and the digest of changed git settings that they were shown. */
export type Agreed = Pick<UndoOffer, 'turn' | 'merge'> & {
	readonly from?: string;
	readonly settings?: string;
};

/**
Turns the last move of the target round, as a person agreed to it: takes the merge back, or brings it back.

It is judged when nothing else is at work on the target. The intent is written before that is touched, so that whoever comes after a crash can finish it.

@throws `Failure` of kind `refused`, with what stands against it; the target is then where it was.
*/
export const undo = (ground: UndoGround, agreed: Agreed): Promise<UndoOffer> =>
	ground.serially('target', async () => {
		const {offer, way} = await findUndo(ground);
		requireAgreed(offer, agreed);
		requireSettingsSeen(offer, agreed);
		const {merge, from} = offer;
		const to = way.kind === 'move' ? way.to : await commitOf(ground, offer, way);
		await ground.tell([{kind: 'merge.intended', commit: to, from, undoes: merge}]);
		await turnRound(ground);
		return {...offer, to};
	});

/** Carries out the turn that is intended, after a crash; nothing is done where none is. */
export const carryOut = (ground: UndoGround): Promise<void> =>
	ground.serially('target', () => turnRound(ground));

const turnRound = async (ground: UndoGround): Promise<void> => {
	const {repository, store} = ground;
	const {landing, cutOffs} = ground.state();
	const {target} = requireSession(ground.state());
	if (landing.phase === 'none' || landing.intent === undefined) {
		return;
	}

	const {from, to} = landing.intent;
	const isForward = await isAncestor(store, from, to);
	const move = isForward ? publish : takeBack;
	// That it is waited for may be told too late; what was waited for is told in any case.
	const onWait = (wait: Wait | undefined) => void ground.tell([waiting(wait)]).catch(() => {});
	const patience = {onWait};
	const outcome = await move(repository, {target, from, to, store, cutOffs, patience});
	if (!outcome.published) {
		const {cause, hint, paths = []} = outcome;
		const message = namePaths(outcome.message, paths);
		await ground.tell([{kind: 'merge.refused', commit: to, cause, message, hint}]);
		throw new Failure('refused', message, {hint});
	}

	const {phase, commit, agents} = landing;
	await ground.tell([
		phase === 'standing'
			? {kind: 'merge.undone', commit, from, to}
			: {kind: 'merge.published', commit: to, from, agents, redoes: commit},
	]);
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

/** Who was not told of changed settings is told where they are asked; nothing keeps them from going on there. */
const requireSettingsSeen = ({gitSettings}: UndoOffer, {settings}: Agreed): void => {
	if (gitSettings !== undefined && settings !== gitSettings.digest) {
		throw new Failure('refused', `Nothing was done. ${changedText(gitSettings)}`, {
			hint: 'look at what changed; delegate-tui undo asks again',
		});
	}
};

/** The commit that takes the changes back is the person's, like the merge itself. */
const commitOf = async (
	ground: UndoGround,
	offer: UndoOffer,
	{tree, from}: Extract<Way, {kind: 'commit'}>,
): Promise<string> => {
	const {store} = ground;
	const commit = await commitTree(store, {
		tree,
		parents: [from],
		message: messageOf(offer),
		at: ground.now(),
		identity: await identity(ground.repository),
	});
	await pin(store, {ref: `refs/delegate/${ground.session}/result/${commit}`, oid: commit});
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
