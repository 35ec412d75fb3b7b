import type {Body, Event} from './event.ts';

/** All kinds of events; the type guarantees that the list is complete. */
const kinds: Readonly<Record<Body['kind'], true>> = {
	'session.started': true,
	'session.ended': true,
	'supervisor.started': true,
	'target.moved': true,
	'agent.moved': true,
	'workspace.prepared': true,
	'turn.started': true,
	'turn.changed': true,
	'limit.shared': true,
	'conversation.opened': true,
	'login.wanted': true,
	'commands.announced': true,
	'permission.asked': true,
	'command.ended': true,
	'reply.delivered': true,
	'tokens.counted': true,
	'load.counted': true,
	'turn.ended': true,
	'signal.said': true,
	'question.withdrawn': true,
	'answer.rejected': true,
	'scope.left': true,
	'access.denied': true,
	'scope.granted': true,
	'snapshot.taken': true,
	'snapshot.checked': true,
	'snapshot.restored': true,
	'user.decided': true,
	'user.steered': true,
	'work.compared': true,
	'conflict.found': true,
	'conflict.gone': true,
	'resolution.opened': true,
	'merge.blocked': true,
	'merge.built': true,
	'verify.ended': true,
	'part.checked': true,
	'outcome.checked': true,
	'merge.intended': true,
	'merge.published': true,
	'merge.undone': true,
	'merge.refused': true,
	'push.changed': true,
	'machine.disk': true,
	'machine.survivors': true,
	'machine.waiting': true,
	'machine.checkout': true,
	'machine.clock': true,
	'machine.interrupted': true,
	'machine.documents': true,
	'machine.questions': true,
	'deadline.passed': true,
	'effect.failed': true,
};

/**
Returns whether an entry of the journal is an event that this version knows.

A reader skips others; a supervisor doesn't append to them.
*/
export const isEvent = (entry: {readonly kind: string}): entry is Event =>
	Object.hasOwn(kinds, entry.kind);
