import type {Model, Paper} from '../../../client/model.ts';
import {paperKey} from '../../../client/papers/papers.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {agentOf, lastSnapshot} from '../../../state/select.ts';
import type {State} from '../../../state/state.ts';
import {type Marks, surfaceMarks} from '../../formatting/surface-look.ts';
import type {DiffFile} from '../../rows/diff.ts';
import {filesOf} from '../../rows/diff-rows.ts';

/** Returns the paper with an agent's work as its last snapshot holds it; none before there is one. */
export const workKey = (state: State, id: string): string | undefined => {
	const agent = agentOf(state, id);
	const snapshot = agent && lastSnapshot(agent);
	return snapshot ? paperKey(id, snapshot.work) : undefined;
};

/** Returns the paper with what would be merged. */
export const resultKey = ({merge}: State): string | undefined =>
	'built' in merge ? paperKey('result', merge.built.commit) : undefined;

/** Returns the words beside the files of an agent's work. */
export const marksOfWork = (state: State, id: string): Marks => {
	const agent = agentOf(state, id);
	return surfaceMarks(agent && lastSnapshot(agent)?.surface);
};

/** Returns the words beside the files of what would be merged. */
export const marksOfResult = ({merge}: State): Marks =>
	surfaceMarks('built' in merge ? merge.built.surface : undefined);

/** Returns a paper; where there is none and none will come, it says why. */
export const paperOf = ({papers, mode}: Model, key: string | undefined): Paper => {
	if (key === undefined) {
		return {phase: 'failed', why: 'There is no snapshot of its work yet.'};
	}

	return (
		papers[key] ??
		(mode.kind === 'replay'
			? {phase: 'failed', why: 'This recording does not hold it.'}
			: {phase: 'loading'})
	);
};

/** Returns the files of an agent's diff, once they are there. */
export const filesOfWork = (model: Model, id: string): readonly DiffFile[] | undefined => {
	const paper = paperOf(model, workKey(model.state, id));
	return paper.phase === 'ready' ? filesOf(paper) : undefined;
};

/** Returns milliseconds that an agent has worked, the turn under way included. */
export const workedMs = ({turn, workedMs}: Agent, now: string): number =>
	workedMs +
	(turn.phase === 'live' ? Math.max(0, Date.parse(now) - Date.parse(turn.startedAt)) : 0);
