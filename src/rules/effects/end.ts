import type {BodyOf} from '../../events/event.ts';
import {nextToTurn} from '../../state/merge/publication.ts';
import {isLive} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {isClearingDue} from './clearing.ts';

/** Returns the end of the session when nothing is left to do. */
export const dueEnd = (state: State): readonly BodyOf<'session.ended'>[] => {
	const {session, agents, merge} = state;
	const over = agents.every(
		agent => (agent.state === 'MERGED' || agent.state === 'ABORTED') && !isLive(agent),
	);
	if (!session || !over || merge.phase === 'intended' || isClearingDue(state)) {
		return [];
	}

	const merged = agents.filter(({state}) => state === 'MERGED').length;
	if (session.stopping !== undefined) {
		return [ended(session.stopping, 'stopped by a person')];
	}

	return [
		merged > 0
			? ended('COMPLETE', mergedText(state, merged))
			: ended('ABORTED', 'no work was left to merge'),
	];
};

const mergedText = (state: State, merged: number): string => {
	const all = state.agents.filter(({arbitrates}) => arbitrates === undefined).length;
	const text = `the work of ${merged} of ${all} agents was merged`;
	return nextToTurn(state) === undefined
		? `${text}, but there was nothing to bring into ${state.session?.target}`
		: text;
};

const ended = (status: 'COMPLETE' | 'ABORTED', why: string): BodyOf<'session.ended'> => ({
	kind: 'session.ended',
	status,
	why,
});
