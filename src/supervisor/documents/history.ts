import type {Event, EventOf} from '../../events/event.ts';
import {counted} from '../../lib/text/words.ts';
import {publishedTree} from '../../rules/status.ts';
import type {State} from '../../state/state.ts';

/** A row of the registry's events log. */
export type HistoryRow = {
	readonly at: string;
	readonly event: string;
	readonly agent?: string;
	readonly details: string;
};

/** Returns the row that an event adds to the registry; `undefined` if people needn't read of it. */
export const historyRow = (state: State, event: Event): HistoryRow | undefined => {
	const {at} = event;
	switch (event.kind) {
		case 'session.started':
			return {at, event: 'CREATED', details: event.plan.task};
		case 'agent.moved':
			return {
				at,
				event: event.to === 'SPAWNING' ? 'SPAWNED' : event.to,
				agent: event.agent,
				details: event.to === 'SPAWNING' ? subtaskOf(state, event.agent) : movedText(state, event),
			};
		case 'snapshot.taken':
			return event.checkpoint
				? {at, event: 'CHECKPOINT', agent: event.agent, details: takenText(event)}
				: undefined;
		case 'scope.left':
			return {
				at,
				event: 'SCOPE_VIOLATION',
				agent: event.agent,
				details:
					event.change === 'refused'
						? `${event.path} was blocked (${event.why})`
						: `${event.path} was ${event.change} outside the scope (${event.why}) ${event.stuck === undefined ? 'and reverted' : `and can’t be reverted: ${event.stuck}`}`,
			};
		case 'conflict.found':
			return {
				at,
				event: event.type,
				details: `${[...event.a, ...event.b].join(' and ')}: ${event.summary}`,
			};
		case 'verify.ended':
			return {
				at,
				event: event.ok ? 'VERIFIED' : 'VERIFY_FAILED',
				details: `result ${event.commit}, tree ${event.tree}`,
			};
		case 'merge.published':
			return {
				at,
				event: 'PUBLISHED',
				details: `${event.commit} (${event.agents.join(', ')})${howText(event)}`,
			};
		case 'merge.undone':
			return {at, event: 'UNDONE', details: `${event.commit}, the target is at ${event.to}`};
		case 'push.changed':
			return event.to === 'done'
				? {at, event: 'PUSHED', details: `${event.commit} to ${event.remote}/${event.branch}`}
				: undefined;
		case 'merge.refused':
			return {at, event: 'MERGE_REFUSED', details: event.message};
		case 'session.ended':
			return {at, event: `SESSION_${event.status}`, details: event.why};
		default:
			return undefined;
	}
};

/** Returns the line that an event adds to the session context: delegations, merges, archives. */
export const contextLine = (state: State, event: Event): string | undefined => {
	const session = state.session?.session ?? '';
	switch (event.kind) {
		case 'agent.moved':
			return event.to === 'SPAWNING'
				? `${event.at} ${session} delegated to ${event.agent}: ${subtaskOf(state, event.agent)}`
				: undefined;
		case 'merge.published':
			return `${event.at} ${session} merged ${event.commit} into ${state.session?.target} (${event.agents.join(', ')})${howText(event)}`;
		case 'merge.undone':
			return `${event.at} ${session} took ${event.commit} back from ${state.session?.target}`;
		case 'session.ended':
			return `${event.at} ${session} archived as ${event.status}: ${event.why}`;
		default:
			return undefined;
	}
};

/** Returns details of a publication that its commit doesn't show. */
const howText = (event: EventOf<'merge.published'>): string => {
	if (event.redoes !== undefined) {
		return `, which brings ${event.redoes} back`;
	}

	const {commit, from} = event;
	const stood = commit === from ? ', where it stood already: there was nothing to merge' : '';
	return `${stood}${publishedTree(event)}`;
};

/** Returns the text of a checkpoint that the agent didn't declare: a regular snapshot of its work, or one before a risky action. */
const takenText = ({number, files}: EventOf<'snapshot.taken'>): string =>
	`Taken as snapshot ${number}, ${counted(files, 'file')} changed`;

/** Returns the text of a move, with the waiting agent's own status report. */
const movedText = (state: State, {agent, to, why}: EventOf<'agent.moved'>): string =>
	[why, ...(to === 'CHECKPOINT' ? standing(state, agent) : [])].join('; ');

const standing = (state: State, id: string): readonly string[] => {
	const words = state.items.flatMap(item => {
		if (item.kind === 'question' && item.agent === id) {
			const {blockedAt, currentState} = item.workStatus ?? {};
			return [
				item.question.question,
				...named('blocked at', blockedAt),
				...named('so far', currentState),
			];
		}

		return item.kind === 'blocker' && item.agent === id
			? [item.details, ...named('blocked work', item.said?.blocked_work)]
			: [];
	});
	return [...new Set(words)];
};

const named = (name: string, words: string | undefined): readonly string[] =>
	words === undefined ? [] : [`${name}: ${words}`];

const subtaskOf = (state: State, id: string): string =>
	state.agents.find(agent => agent.id === id)?.subtask.subtask ?? '';
