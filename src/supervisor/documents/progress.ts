import type {Event} from '../../events/event.ts';
import type {State} from '../../state/state.ts';
import {inline} from './text.ts';

/** Returns the entry that a publication adds to the progress document. */
export const progressEntry = (
	state: State,
	event: Extract<Event, {kind: 'merge.published'}>,
): string => {
	const {session, agents} = state;
	return [
		`## ${event.at.slice(0, 10)} ${inline(session?.plan.task ?? '')}`,
		'',
		`- Session: ${session?.session ?? ''}`,
		`- Merged into: ${session?.target ?? ''}`,
		`- Commit: ${event.commit}`,
		...agents
			.filter(({id}) => event.agents.includes(id))
			.map(({id, subtask}) => `- ${id}: ${inline(subtask.subtask)}`),
	].join('\n');
};
