import type {Model, Paper} from '../../../client/model.ts';
import {paperKey} from '../../../client/papers/papers.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {reviewedSnapshot} from '../../../state/agent/reviewed.ts';
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

/** Returns the paper with what an agent changed since a person last let it go on; none where that is all of its work. */
export const newWorkKey = (state: State, id: string): string | undefined => {
	const agent = agentOf(state, id);
	const since = agent && reviewedSnapshot(agent);
	return agent === undefined || since === undefined
		? undefined
		: paperKey(`since:${id}:${since.number}`, lastSnapshot(agent)?.work ?? '');
};

/** Returns the paper that is looked at of an agent's work: all of it, or what is new where the person wants that and there is such. */
export const shownWorkKey = (
	state: State,
	id: string,
	{onlyNew}: {readonly onlyNew: boolean},
): string | undefined => (onlyNew ? newWorkKey(state, id) : undefined) ?? workKey(state, id);

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

/** Returns the files that are new since an agent's last checkpoint, once they are there; none where there was no such. */
export const newFiles = (model: Model, id: string): readonly DiffFile[] | undefined => {
	const key = newWorkKey(model.state, id);
	const paper = key === undefined ? undefined : paperOf(model, key);
	return paper?.phase === 'ready' ? filesOf(paper) : undefined;
};

/** Returns milliseconds that an agent has worked, the turn under way included. */
export const workedMs = ({turn, workedMs}: Agent, now: string): number =>
	workedMs +
	(turn.phase === 'live' ? Math.max(0, Date.parse(now) - Date.parse(turn.startedAt)) : 0);
