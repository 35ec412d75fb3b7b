import type {Event, EventOf} from '../../events/event.ts';
import type {State} from '../../state/state.ts';
import {inline} from './text.ts';

/** An entry of the progress document, and the words in it by which it is known to be there already. */
export type ProgressEntry = {readonly mark: string; readonly text: string};

type Published = EventOf<'merge.published'>;

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

const publishedEntry = (state: State, event: Published): ProgressEntry => {
	const mark = markOf(event);
	const agents = state.agents.filter(({id}) => event.agents.includes(id));
	return {
		mark,
		text: [
			...heading(state, event, inline(state.session?.plan.task ?? '')),
			`- Merged into: ${state.session?.target ?? ''}`,
			mark,
			...outcomeOf(state, event),
			...agents.map(({id, subtask}) => `- ${id}: ${inline(subtask.subtask)}`),
		].join('\n'),
	};
};

/** The time is in a mark, since the same merge may be taken back, and brought back, more than once. */
const markOf = ({at, commit, redoes}: Published): string =>
	redoes === undefined
		? `- Commit: ${commit}, published ${at}`
		: `- Brought back: ${redoes}, at ${at}`;

const outcomeOf = (state: State, {commit, from, redoes}: Published): readonly string[] => {
	if (redoes !== undefined) {
		return [standsAt(state, commit)];
	}

	return commit === from ? ['- Nothing to bring: it was all there already'] : [];
};

const standsAt = ({session}: State, commit: string): string =>
	`- ${session?.target ?? ''} is now at: ${commit}`;

/** The time is in the mark, since the same merge may be taken back more than once. */
const undoneEntry = (state: State, event: EventOf<'merge.undone'>): ProgressEntry => {
	const mark = `- Taken back: ${event.commit}, at ${event.at}`;
	return {
		mark,
		text: [
			...heading(state, event, `Taken back: ${inline(state.session?.plan.task ?? '')}`),
			mark,
			standsAt(state, event.to),
		].join('\n'),
	};
};

const heading = ({session}: State, {at}: Event, title: string): readonly string[] => [
	`## ${at.slice(0, 10)} ${title}`,
	'',
	`- Session: ${session?.session ?? ''}`,
];
