import type {Event} from '../../events/event.ts';
import type {State} from '../../state/state.ts';
import {inline} from './text.ts';

/** An entry of the progress document, and the words in it by which it is known to be there already. */
export type ProgressEntry = {readonly mark: string; readonly text: string};

/** Returns the entry that an event adds to the progress document: one for each publication, and for each that was taken back. */
export const progressEntry = (state: State, event: Event): ProgressEntry | undefined => {
	switch (event.kind) {
		case 'merge.published':
			return publishedEntry(state, event);
		case 'merge.undone':
			return undoneEntry(state, event);
		default:
			return undefined;
	}
};

/** The time is in a mark, since the same merge may be taken back, and brought back, more than once. */
const publishedEntry = (
	state: State,
	event: Extract<Event, {kind: 'merge.published'}>,
): ProgressEntry => {
	const mark = `- Commit: ${event.commit}, published ${event.at}`;
	const agents = state.agents.filter(({id}) => event.agents.includes(id));
	return {
		mark,
		text: [
			...heading(state, event, inline(state.session?.plan.task ?? '')),
			`- Merged into: ${state.session?.target ?? ''}`,
			mark,
			...agents.map(({id, subtask}) => `- ${id}: ${inline(subtask.subtask)}`),
		].join('\n'),
	};
};

/** The time is in the mark, since the same merge may be taken back more than once. */
const undoneEntry = (
	state: State,
	event: Extract<Event, {kind: 'merge.undone'}>,
): ProgressEntry => {
	const mark = `- Taken back: ${event.commit}, at ${event.at}`;
	return {
		mark,
		text: [
			...heading(state, event, `Taken back: ${inline(state.session?.plan.task ?? '')}`),
			mark,
			`- ${state.session?.target ?? ''} is now at: ${event.to}`,
		].join('\n'),
	};
};

const heading = ({session}: State, {at}: Event, title: string): readonly string[] => [
	`## ${at.slice(0, 10)} ${title}`,
	'',
	`- Session: ${session?.session ?? ''}`,
];
