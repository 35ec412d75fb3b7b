import type {State} from '../state.ts';
import type {Built, Merge, Verified} from './merge.ts';

/** A move of the target from one commit to another. */
export type Step = {readonly from: string; readonly to: string};

/** A move of the target that was about to begin when it was written. */
export type Intent = Step & {readonly since: string};

/**
A result that was published: the target holds it, or a person took it back.

Of a session that has ended this is all that can still change.
*/
export type Publication = {
	readonly phase: 'standing' | 'undone';
	/** People know the merge by the commit that was built, wherever the target stands. */
	readonly built: Built;
	readonly verified: Verified;
	/** The move of the target that led here: what the next undo turns round. */
	readonly last: Step;
	/** That undo, while it is under way. */
	readonly intent?: Intent;
};

type Published = Pick<State, 'publications'>;

/** What holds a session's results. */
export type Results = Pick<State, 'merge' | 'publications'>;

type Result = Extract<Merge, {readonly built: Built}> | Publication;

/** Returns the undo that is under way, if one is. */
export const undoOf = (state: Published): Intent | undefined => turning(state)?.intent;

/** Returns the publication that the undo under way turns round, if one is. */
export const turning = ({publications}: Published): Publication | undefined =>
	publications.find(({intent}) => intent !== undefined);

/** Returns the publication that the undo under way would bring to that commit. */
export const turningTo = (state: Published, commit: string): Publication | undefined =>
	undoOf(state)?.to === commit ? turning(state) : undefined;

/** Returns the publication that an undo turns round next. */
export const nextToTurn = ({publications}: Published): Publication | undefined =>
	publications.findLast(hasMoved);

/** Returns the merge that people know by that commit. */
export const publicationOf = ({publications}: Published, commit: string): Publication | undefined =>
	publications.findLast(one => hasMoved(one) && one.built.commit === commit);

/** What had nothing to bring is no merge that could be taken back. */
const hasMoved = ({last}: Publication): boolean => last.from !== last.to;

/** Returns whether the target holds an agent's work by a merge of this session. */
export const isPublished = ({publications}: Published, agent: string): boolean =>
	publications.some(({phase, built}) => phase === 'standing' && built.agents.includes(agent));

/** Returns the result that is under way or, where none is, the last one that was published and stands. */
export const lastResult = ({merge, publications}: Results): Result | undefined =>
	'built' in merge ? merge : publications.findLast(({phase}) => phase === 'standing');

/** Returns the state in which one merge, if it is there, has changed. */
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
