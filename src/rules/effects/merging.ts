import type {EffectKey} from '../../events/effect-key.ts';
import type {Body} from '../../events/event.ts';
import {enumerated, shortOid} from '../../lib/text/words.ts';
import {type Agent, lastSnapshot} from '../../state/agent/agent.ts';
import {checkOfWork, claimsTests} from '../../state/agent/compared.ts';
import {conflictWords} from '../../state/items/conflict/conflict.ts';
import {attributionOf} from '../../state/merge/attribution.ts';
import {agentsToMerge, mergedNow} from '../../state/merge/members.ts';
import type {Merge, Publication} from '../../state/merge/merge.ts';
import {checksAtOnce} from '../../state/merge/parts.ts';
import {nextToTurn, type UndoOrRedo, undoOf} from '../../state/merge/publication.ts';
import {isGivenUp, itemsOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {type Effect, keyed} from './effect.ts';
import {isSentBack} from './prompts.ts';
import {hasSettledSnapshots} from './retries.ts';

/** Returns the effects that are due between accepted work and the moved target. */
export const mergeEffects = (state: State): readonly Effect[] => [
	...openings(state),
	...outcomesToCheck(state),
	...steps(state),
];

/** Writes the intent to publish before the target is touched. */
export const mergeEvents = (state: State): readonly Body[] =>
	state.merge.phase === 'approved'
		? [
				{
					kind: 'merge.intended',
					commit: state.merge.built.commit,
					from: state.merge.built.tip,
				},
			]
		: [];

const openings = (state: State): readonly Effect[] =>
	state.items.flatMap(item =>
		item.kind === 'conflict' && item.manual.phase === 'wanted'
			? [keyed({do: 'open-resolution', conflict: item.id})]
			: [],
	);

/** Lists outcome checks of conflicts; only while the merge waits for the choice, since the outcome changes with its inputs. */
const outcomesToCheck = ({items, merge}: State): readonly Effect[] =>
	merge.phase !== 'blocked'
		? []
		: items.flatMap((item): readonly Effect[] => {
				if (item.kind !== 'conflict' || !item.checking || item.checking.result) {
					return [];
				}

				const {choice, since} = item.checking;
				const check = {do: 'check-outcome', conflict: item.id, since} as const;
				return [{...check, choice, key: {...check, choice: conflictWords(choice)}}];
			});

const steps = (state: State): readonly Effect[] => {
	const {merge} = state;
	switch (merge.phase) {
		case 'none':
			return isBuildDue(state) ? [{key: buildKey(state), do: 'build'}] : [];
		case 'built':
			return [
				{
					key: {do: 'verify', commit: merge.built.commit, since: merge.due.seq},
					do: 'verify',
					commit: merge.built.commit,
					tree: merge.built.tree,
				},
			];
		case 'verified':
			return partsToCheck(state, merge);
		case 'intended':
			return [
				{
					key: {do: 'publish', commit: merge.built.commit, approval: merge.approval},
					do: 'publish',
					commit: merge.built.commit,
					from: merge.built.tip,
				},
			];
		case 'blocked':
		case 'failed':
		case 'approved':
			return [];
	}
};

/** Lists the partial checks that find whose work fails, until a person has decided about the failed check. */
const partsToCheck = (state: State, {built, verified}: VerifiedMerge): readonly Effect[] => {
	const {parts} = verified;
	return parts !== undefined && state.items.some(({kind}) => kind === 'verify')
		? attributionOf(built.agents, parts.runs)
				.next.slice(0, checksAtOnce(state))
				.map(agents => keyed({do: 'check-part', since: parts.since, agents}))
		: [];
};

type VerifiedMerge = Extract<Merge, {readonly phase: 'verified'}>;

/** Returns whether work is being merged, or is about to be. */
export const isMerging = (state: State): boolean =>
	state.session?.stopping === undefined && mergedNow(state).length > 0;

/** Waits for owed snapshots, also for failed ones that are tried again: they would come after the result and not be in it. */
const isBuildDue = (state: State): boolean =>
	isMerging(state) && agentsToMerge(state).every(agent => hasSettledSnapshots(state, agent));

/** Returns the key of a build: inputs that failed once are not built again until they change. */
export const buildKey = (state: State): EffectKey => ({
	do: 'build',
	tip: state.session?.tip ?? '',
	work: agentsToMerge(state).map(({id, snapshots}) => ({
		agent: id,
		snapshot: snapshots.at(-1)?.number ?? 0,
	})),
	resolutions: state.resolutions.length,
});

/** Reason why a session that published nothing has nothing to undo. */
export const nothingMerged = 'Nothing was merged in this session.';

/** Returns the reason why no merge can be undone now, or redone, or nothing if one can. */
export const whyNotUndo = (state: State, turn: UndoOrRedo = 'undo'): string | undefined => {
	const {session, merge} = state;
	const next = nextToTurn(state, turn);
	if (!session || next === undefined) {
		return turn === 'undo' ? nothingMerged : 'No merge of this session has been taken back.';
	}

	if (next.phase === 'outdated' || (next.phase === 'undone' && isGoneOnWith(state, next))) {
		return `The merge (${shortOid(next.built.commit)}) can’t be brought back: the work of ${enumerated(next.built.agents)} has gone on since then, and is merged anew.`;
	}

	// After the session's end no supervisor clears up, so the undo does it first.
	const isCleared = session.ended !== undefined || !isClearingDue(state);
	return merge.phase === 'intended' || undoOf(state) !== undefined || !isCleared
		? `${session.target} is being moved.`
		: undefined;
};

const isGoneOnWith = ({agents}: State, {built}: Publication): boolean =>
	agents.some(agent => built.agents.includes(agent.id) && isSentBack(agent));

/**
Returns whether the remains of an interrupted move of the target have to be cleared from the person's checkout now.

A publish or an undo clears them up first, and a repeated approval may finish the move. Otherwise no other step would: the result was rejected, the target moved on, or the session is being stopped.
*/
export const isClearingDue = (state: State): boolean =>
	state.interrupted.length > 0 &&
	state.notCleared === null &&
	!isMoving(state) &&
	!isAwaited(state);

/** Returns the clean-up, if it is due. */
export const clearings = (state: State): readonly Effect[] =>
	isClearingDue(state) ? [keyed({do: 'clear-up'})] : [];

const isMoving = (state: State): boolean =>
	state.merge.phase === 'approved' ||
	state.merge.phase === 'intended' ||
	undoOf(state) !== undefined;

const isAwaited = ({merge, interrupted}: State): boolean =>
	merge.phase === 'verified' && interrupted.some(({to}) => to === merge.built.commit);

/** Returns the snapshots on which the plan's checks are to run, apart from any merge. */
export const checkEffects = (state: State): readonly Effect[] =>
	state.session?.stopping !== undefined
		? []
		: state.agents.flatMap(agent => {
				const due = dueCheck(state, agent);
				return due === undefined ? [] : [keyed({do: 'check-snapshot', agent: agent.id, ...due})];
			});

/** Returns the snapshot of an agent that is to be checked, and the event since which it is. */
export const dueCheck = (
	state: State,
	agent: Agent,
): Pick<Extract<EffectKey, {do: 'check-snapshot'}>, 'number' | 'since'> | undefined => {
	const isDue = !isGivenUp(agent) && Boolean(state.session?.plan.verify.length);
	return isDue ? (agent.toCheck ?? checkByConfig(state, agent)) : undefined;
};

/** Returns the snapshot that the config wants checked: of work under review, fully pinned and not checked yet. */
const checkByConfig = (state: State, agent: Agent) => {
	const last = lastSnapshot(agent);
	return isLookedAt(state, agent) &&
		agent.wanted.length === 0 &&
		last !== undefined &&
		checkOfWork(agent) === undefined
		? {number: last.number, since: 0}
		: undefined;
};

/** Returns whether the config wants an agent's work checked; finished rivals always are, since the comparison shows their checks. */
const isLookedAt = (state: State, agent: Agent): boolean => {
	const {id, subtask, snapshots} = agent;
	const kinds = itemsOf(state, id).map(({kind}) => kind);
	const testsAt = state.session?.settings.testsAt;
	return (
		((testsAt === 'checkpoint' || (testsAt === 'claim' && claimsTests(agent))) &&
			kinds.some(kind => kind === 'checkpoint' || kind === 'review')) ||
		(subtask.bestOf !== undefined &&
			(snapshots.at(-1)?.files ?? 0) > 0 &&
			kinds.some(kind => kind === 'review' || kind === 'failure'))
	);
};
