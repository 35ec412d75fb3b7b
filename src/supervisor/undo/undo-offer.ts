import {join} from 'node:path';
import {resolveCommit} from '../../git/repository/repository.ts';
import {commitTree, readRef, removeCheckout, type Store} from '../../git/store/store.ts';
import {
	findReversal,
	nameOfBuilder,
	type Reversal,
	remotesWith,
} from '../../git/target/reversal.ts';
import {subjectOf} from '../../git/tree/commit.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {shortOid} from '../../lib/text/words.ts';
import {nothingMerged, whyNotUndo} from '../../rules/effects/merging.ts';
import type {UndoCheck, UndoOffer} from '../../rules/undo-offer.ts';
import type {Publication, Verified} from '../../state/merge/merge.ts';
import {nextToTurn, type UndoOrRedo} from '../../state/merge/publication.ts';
import {areKnown} from '../../state/merge/surface-notes.ts';
import type {State} from '../../state/state.ts';
import {type CheckWorld, runCheck} from '../merging/check-tree.ts';
import {seeSettings} from '../merging/git-settings.ts';
import {namePaths} from '../show/show-side.ts';
import {requireSession, type World} from '../world.ts';

/** Context of an undo: a running session, or an ended one that was opened again. */
export type UndoContext = Pick<
	World,
	'repository' | 'store' | 'session' | 'state' | 'append' | 'now' | 'serially'
>;

/**
Finds out what an undo would do, or what would bring back the merge that was taken back last; nothing is changed by it.

@throws `Failure` of kind `refused` when there is nothing to take back, or it can't be taken back.
*/
export const findUndo = async (
	context: UndoContext,
	turn: UndoOrRedo = 'undo',
): Promise<{readonly offer: UndoOffer; readonly way: Way}> => {
	const {repository, store} = context;
	const {target, ended, plan} = requireSession(context.state());
	const publication = requirePublished(context.state(), turn);
	const {built, last} = publication;
	const {commit: merge, agents} = built;
	// Agents of a session that lasts may have started from the merge already.
	const isBuiltOn = ended === undefined;
	const way = await findReversal(repository, store, {target, ...last, isBuiltOn});
	if (way.kind !== 'move' && way.kind !== 'commit') {
		throw refused(...whyImpossible(publication, target, way));
	}

	const seen = await seeSettings(context, context.state());
	const pushed = await remotesWith(repository, last.to);
	const offer: UndoOffer = {
		session: context.session,
		turn: publication.phase === 'standing' ? 'undo' : 'redo',
		merge,
		subject: (await nameIn(store, merge)) ?? plan.task.trim().replace(/\n.*/s, ''),
		agents,
		target,
		because: becauseOf(way, {...publication, target}),
		how: way.kind,
		from: way.from,
		to: way.kind === 'move' ? way.to : null,
		files: way.files,
		...(pushed.length === 0 ? {} : {pushed}),
		...(areKnown(context.state(), seen.digest) ? {} : {gitSettings: seen}),
	};
	return {offer, way};
};

/**
Returns an offer with what the plan's check says of the tree that the target would hold.

A person who takes a merge back may need to do so whatever the check says, so a check that fails stands in the way of nothing.
*/
export const withCheck = async (
	context: UndoContext & CheckWorld,
	{offer, way}: Awaited<ReturnType<typeof findUndo>>,
	signal: AbortSignal,
): Promise<UndoOffer> => {
	const {store, state} = context;
	const {plan} = requireSession(state());
	if (plan.verify.length === 0) {
		return offer;
	}

	const tree = way.kind === 'move' ? await readRef(store, `${way.to}^{tree}`) : way.tree;
	const {ok, ran} = state().checkedTrees.find(one => one.tree === tree && one.ran) ?? {};
	const checked =
		ok !== undefined && ran !== undefined
			? {ok, commands: ran.commands, log: logIn(context, ran.log)}
			: await check(context, way, signal);
	return {...offer, checked};
};

const check = async (
	context: UndoContext & CheckWorld,
	way: Way,
	signal: AbortSignal,
): Promise<UndoCheck> => {
	const {store, folder, state, now} = context;
	const parts = {parents: [way.from], message: 'For a check', at: now()};
	const commit = way.kind === 'move' ? way.to : await commitTree(store, {...parts, ...way});
	// A check of a result removes what others have left, so the two take turns.
	return context.serially('verify', async () => {
		try {
			await removeCheckout(folder.verify('undo').path);
			const run = {name: 'undo', commit, signal};
			const {ok, commands, log} = await runCheck(context, requireSession(state()), run);
			return {ok, commands, log: logIn(context, log)};
		} catch (error) {
			signal.throwIfAborted();
			return {ok: false, why: asFailure(error).message};
		}
	});
};

const logIn = ({folder}: CheckWorld, log: Verified['log']): string | null =>
	log === null ? null : join(folder.path, log.path);

const requirePublished = (state: State, turn: UndoOrRedo): Publication => {
	const publication = nextToTurn(state, turn);
	const why = whyNotUndo(state, turn);
	if (publication === undefined || why !== undefined) {
		throw refused(why ?? nothingMerged, see);
	}

	return publication;
};

/** The commit may be gone after a long time, also where the work was brought back as another one and stands. */
const nameIn = async (store: Store, merge: string): Promise<string | undefined> =>
	(await resolveCommit(store, merge)) === undefined ? undefined : subjectOf(store, merge);

const see = 'delegate-tui log shows what happened';

const refused = (why: string, hint: string): Failure => new Failure('refused', why, {hint});

/** A branch that stands where the last move led it has gone on in nothing but what others make of it. */
const becauseOf = (
	way: Way,
	{target, last, phase}: Pick<Publication, 'last' | 'phase'> & {readonly target: string},
): string => {
	if (way.kind === 'move') {
		return phase === 'standing' ? whyBack(way) : 'No commit has followed';
	}

	if (way.from !== last.to) {
		return `${target} has new commits since`;
	}

	return way.builders.length === 0
		? 'The session goes on, and its agents may build on it'
		: `Others contain it (${way.builders.map(nameOfBuilder).join(', ')})`;
};

/** People may have built on a merge and then brought it back by leaving the commit that had taken it back. */
const whyBack = ({way}: Extract<Way, {kind: 'move'}>): string =>
	way === 'back' ? 'No commit builds on it' : 'The commit that took it back is still there';

/** How what happened last can be turned round. */
export type Way = Extract<Reversal, {kind: 'move' | 'commit'}>;

/**
Returns why the last move of a target can't be turned round, and a hint.

People know the merge and what it is called. The move may have led to a commit of theirs, which has nothing to do with it, so that is never named.
*/
const whyImpossible = (
	{phase, built: {commit}, last}: Publication,
	target: string,
	why: Exclude<Reversal, Way>,
): readonly [why: string, hint: string] => {
	const merge = shortOid(commit);
	const stands = phase === 'standing';
	switch (why.kind) {
		case 'entangled': {
			const sentence = stands
				? `Later commits changed the same places as the merge (${merge}).`
				: `The merge (${merge}) was taken back, and later commits changed the same places.`;
			const hint = stands
				? `take it back by hand: git revert ${merge}`
				: `bring it back by hand: git cherry-pick ${merge}`;
			return [namePaths(sentence, why.paths), hint];
		}

		case 'lost':
			return [
				stands
					? `The commit before the merge (${merge}) no longer exists.`
					: `The merge (${merge}) was taken back and no longer exists.`,
				'delegate-tui doctor --clean removes what a session kept, some time after its end',
			];
		case 'gone': {
			const turned = stands ? 'brought back' : 'taken back';
			return [
				stands && last.to === commit
					? `${target} no longer holds the merge (${merge}); it was moved or rewritten since.`
					: `${target} was moved or rewritten since the merge (${merge}) was ${turned}.`,
				`git reflog ${target} shows where it went`,
			];
		}

		case 'nothing':
			return stands
				? [
						`Nothing of the merge (${merge}) is left in ${target} to take back.`,
						`git log ${target} shows who took it back`,
					]
				: [
						`The merge (${merge}) was taken back, and ${target} holds all of it again.`,
						`git log ${target} shows who brought it back`,
					];
	}
};
