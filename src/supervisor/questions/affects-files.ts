import type {Event} from '../../events/event.ts';

/** Returns whether an event changes which files of questions there are to be, what they say, or whether there is room for them. */
export const affectsFiles = ({kind, aheadMs}: Event): boolean =>
	// The deadline in a file is a time of the clock.
	aheadMs !== undefined || kinds.has(kind);

const kinds: ReadonlySet<Event['kind']> = new Set([
	'signal.said',
	'user.decided',
	'turn.started',
	'turn.ended',
	'agent.moved',
	'question.withdrawn',
	'session.started',
	'supervisor.started',
	'machine.disk',
	'session.ended',
]);
