import {enumerated} from '../../lib/text/words.ts';
import {lastSnapshot} from '../agent/agent.ts';
import {agentOf, isGivenUp} from '../select.ts';
import {type State, withoutItems} from '../state.ts';
import {acceptedAgents, membersOf, mergedNow} from './members.ts';
import type {Built, Intent, Merge, Publication, Resolution} from './merge.ts';

type Published = Pick<State, 'publications'>;

export type Results = Pick<State, 'merge' | 'publications'>;

type Result = Extract<Merge, {readonly built: Built}> | Publication;

/** Returns the undo under way, if any. */
export const undoOf = (state: Published): Intent | undefined => turning(state)?.intent;

/** Returns the publication that the undo under way reverses, if any. */
export const turning = ({publications}: Published): Publication | undefined =>
	publications.find(({intent}) => intent !== undefined);

/** Returns the publication that the undo under way moves to a commit. */
export const turningTo = (state: Published, commit: string): Publication | undefined =>
	undoOf(state)?.to === commit ? turning(state) : undefined;

/** Direction of an undo; `redo` restores a merge. */
export type UndoOrRedo = 'undo' | 'redo';

/** Returns the newest merge that the target contains or, for a redo or if there is none, the merge undone last. */
export const nextToTurn = (
	{publications}: Published,
	turn: UndoOrRedo = 'undo',
): Publication | undefined => {
	const merges = publications.filter(hasMoved);
	const newest = merges.findLast(({phase}) => phase === 'standing');
	// The newest merge is undone first, so the oldest undone one was last.
	return turn === 'undo' && newest ? newest : merges.find(({phase}) => phase !== 'standing');
};

/** Returns whether any merge can be undone or redone. */
export const canTurn = (state: Published): boolean => {
	const next = nextToTurn(state);
	return next !== undefined && next.phase !== 'outdated';
};

/** Returns a sentence that the target is being moved for an undo, while it is. */
export const whyTurning = (state: State): string | undefined =>
	undoOf(state) && `A merge is being taken back or brought back on ${state.session?.target}.`;

/** Marks undone merges of an agent that continues its work as outdated, so that a redo can't overwrite it. */
export const withOutdated = (state: State, agent: string): State => ({
	...state,
	publications: state.publications.map(one =>
		one.phase === 'undone' && one.built.agents.includes(agent) ? {...one, phase: 'outdated'} : one,
	),
});

/** Returns the merge that people know by a commit. */
export const publicationOf = ({publications}: Published, commit: string): Publication | undefined =>
	publications.findLast(one => hasMoved(one) && one.built.commit === commit);

/** Returns whether a merge moved the target; one that didn't can't be undone. */
const hasMoved = ({last}: Publication): boolean => last.from !== last.to;

export const standingWith = ({publications}: Published, agent: string): Publication | undefined =>
	publications.find(({phase, built}) => phase === 'standing' && built.agents.includes(agent));

/** Returns the current result, or otherwise the last published one that stands. */
export const lastResult = ({merge, publications}: Results): Result | undefined =>
	'built' in merge ? merge : publications.findLast(({phase}) => phase === 'standing');

/** Changes one merge, if it exists. */
export const withPublication = (
	state: State,
	commit: string,
	change: (publication: Publication) => Publication,
): State => {
	const changed = publicationOf(state, commit);
	return {
		...state,
		publications: state.publications.map(one => (one === changed ? change(one) : one)),
	};
};

/**
Voids the decisions about changed work: a result with it, its check and its approval, the resolutions that concern its agents, and the decision to check the types beyond the limit.

A file that a person merged by hand contains lines of all agents in that merge: if any of these leaves, the file is void, or dropped work would land with it.

@param changed Agents' ids and `target`; empty to build the same work again.

A merge that is being published is unchanged.
*/
export const voidMerge = (state: State, changed: readonly string[]): State => {
	if (state.merge.phase === 'intended') {
		return state;
	}

	const members = membersOf(state.merge);
	const isVoid =
		members.length === 0 || changed.length === 0 || ['target', ...members].some(isIn(changed));
	const left = {
		...state,
		resolutions: state.resolutions.filter(one => !namesIn(one).some(isIn(changed))),
		allTypesOf: state.allTypesOf?.some(isIn(changed)) ? null : state.allTypesOf,
	};
	return isVoid
		? {
				...withoutItems(left, ({kind}) => kind === 'verify' || kind === 'approval'),
				attempts: state.attempts.filter(({effect}) => effect.do !== 'build'),
				merge: {phase: 'none'},
			}
		: left;
};

const isIn = (names: readonly string[]) => (name: string) => names.includes(name);

/** Returns the agents that a resolution depends on. */
const namesIn = (resolution: Resolution): readonly string[] => [
	...resolution.a,
	...resolution.b,
	...(resolution.choice === 'manual' && resolution.mends !== undefined
		? ['target', ...(resolution.among ?? [])]
		: []),
];

/** Returns the reason why the work of these agents can't be merged now, or nothing if it can. */
export const whyNotMerge = (state: State, ids: readonly string[]): string | undefined => {
	if (ids.length === 0) {
		return 'No accepted work waits to be merged.';
	}

	for (const id of ids) {
		const why = whyNotAccepted(state, id);
		if (why !== undefined) {
			return why;
		}
	}

	return whyNotMergeNow(state, ids);
};

const whyNotAccepted = (state: State, id: string): string | undefined => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		return `There is no agent ${id} in this session.`;
	}

	if (agent.state === 'MERGED') {
		return `The work of ${id} is merged already.`;
	}

	if (isGivenUp(agent)) {
		return `${id} is out of the session, so its work is not merged.`;
	}

	return acceptedAgents(state).includes(agent)
		? undefined
		: `The work of ${id} is not accepted yet.`;
};

/** Returns the reason why work can't be merged now after its acceptance. */
export const whyNotMergeNow = (state: State, ids: readonly string[]): string | undefined => {
	const underWay = mergedNow(state);
	if (underWay.length > 0) {
		return `The work of ${enumerated(underWay)} is being merged; one merge at a time.`;
	}

	const moving = whyTurning(state);
	if (moving !== undefined) {
		return moving;
	}

	for (const id of ids) {
		const missing = standsOn(state, id).find(other => !ids.includes(other));
		if (missing !== undefined) {
			return `The work of ${id} is built on that of ${missing}, which is not merged yet; merge ${missing} first, or both together.`;
		}
	}

	return undefined;
};

/** Returns the unmerged agents that an agent's work is stacked on, except those out of the session. */
const standsOn = (state: State, id: string): readonly string[] => {
	const agent = agentOf(state, id);
	const onto = (agent && lastSnapshot(agent)?.startingPoint.onto) ?? [];
	return onto.filter(name => {
		const other = agentOf(state, name);
		return other !== undefined && other.state !== 'MERGED' && !isGivenUp(other);
	});
};

/** Returns whether the merge onto this tip creates the target, which did not exist when the session began. */
export const createsTarget = ({session}: Pick<State, 'session'>, tip: string): boolean =>
	session?.newTarget === true && tip === session.base;
