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

/** Context of an undo: a running session, or the reopened journal of an ended one. */
export type UndoContext = Pick<
	World,
	'repository' | 'store' | 'session' | 'state' | 'append' | 'now' | 'serially'
>;

/**
Returns the effect of an undo, or of a redo of the last undone merge, without changing anything.

@throws `Failure` of kind `refused` when there is nothing to undo, or it can't be undone
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
	// While a session lasts, its agents may have started from the merge already.
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
Returns an offer with the result of the plan's check on the resulting tree.

A failed check doesn't prevent the undo: a person may need to undo a merge anyway.
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
	// A check of a result removes the remains of other checks, so the two take turns.
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

/** Returns the subject of a merge. Its commit may be gone after a long time, even if the work was redone as another commit. */
const nameIn = async (store: Store, merge: string): Promise<string | undefined> =>
	(await resolveCommit(store, merge)) === undefined ? undefined : subjectOf(store, merge);

const see = 'delegate-tui log shows what happened';

const refused = (why: string, hint: string): Failure => new Failure('refused', why, {hint});

/** Returns why an undo moves the branch or adds a commit. If the branch is still at the commit of the last move, only other branches have built on it. */
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

/** Returns why a redo can move the branch: people may have built on a merge and then redone it by leaving the commit that undid it. */
const whyBack = ({way}: Extract<Way, {kind: 'move'}>): string =>
	way === 'back' ? 'No commit builds on it' : 'The commit that took it back is still there';

/** Way to reverse the last move of the target. */
export type Way = Extract<Reversal, {kind: 'move' | 'commit'}>;

/**
Returns why the last move of a target can't be reversed, and a hint.

It names the merge, which people know. The move may have led to another commit of theirs, so that one is never named.
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
