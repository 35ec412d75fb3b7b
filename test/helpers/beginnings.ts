import type {Event} from '../../src/events/event.ts';
import {accepted, completed, type Given, planned, report, working} from './given.ts';
import {breakEachOther, build, collide, verify} from './merging.ts';
import {subtask} from './plan.ts';

/** Returns journals of sessions that wait for a decision, so that random steps from there get far. */
export const beginnings = (): readonly (readonly Event[])[] =>
	[
		approved(),
		rivalsFinished(),
		rivalAtWork(),
		rivalFailed(),
		rivalHandedOn(),
		asking(),
		failing(),
		colliding(),
		breaking(),
		arbiterAtWork(),
		arbiterDone(),
		checked(true),
		checked(false),
	].map(session => session.events());

const approved = (): Given => {
	const session = planned([
		subtask('AGT-001', {agent: {protocol: 'text', command: ['agent'], reply: 'stdin'}}),
		subtask('AGT-002'),
		subtask('AGT-003', {after: ['AGT-001']}),
	]);
	session.decide('p-1', 'approve');
	return session;
};

const rivals = ['AGT-001', 'AGT-002', 'AGT-003'].map(id => subtask(id, {bestOf: 'AGT-001'}));

const rivalsFinished = (): Given => completed(rivals);

const rivalAtWork = (): Given => {
	const session = working(rivals);
	finishes(session, 'AGT-001');
	return session;
};

const rivalFailed = (): Given => {
	const session = working(rivals);
	finishes(session, 'AGT-001');
	finishes(session, 'AGT-002');
	session.ends('AGT-003', {by: 'exit', code: 1});
	return session;
};

/** One of the rivals has a helper, which has finished as well. */
const rivalHandedOn = (): Given => {
	const session = working(rivals.slice(0, 2));
	session.says('AGT-002', '[DELEGATE_WORK]\nnew_task_description: x\n[/DELEGATE_WORK]\n');
	session.decide(session.item('delegation').id, 'approve', undefined, {
		subtask: subtask('AGT-003'),
	});
	session.work();
	// It gets the approval when its turn is over.
	session.ends('AGT-002');
	session.work();
	for (const id of ['AGT-001', 'AGT-002', 'AGT-003']) {
		finishes(session, id);
	}

	return session;
};

const asking = (): Given => {
	const agent = {protocol: 'acp', command: ['agent']} as const;
	const session = working(['AGT-001', 'AGT-002'].map(id => subtask(id, {agent})));
	session.tell({
		...{kind: 'permission.asked', agent: 'AGT-001', turn: 1, request: '1'},
		...{title: 'Run it', command: 'npm test', paths: []},
	});
	return session;
};

const failing = (): Given => {
	const session = working(['AGT-001', subtask('AGT-002', {after: ['AGT-001']})]);
	session.ends('AGT-001', {by: 'exit', code: 1});
	return session;
};

const pair = ['AGT-001', 'AGT-002'];

const colliding = (): Given => {
	const session = accepted(pair);
	collide(
		session,
		{a: ['AGT-001'], b: ['AGT-002']},
		{path: 'b.txt', a: ['target'], b: ['AGT-001']},
	);
	return session;
};

const breaking = (): Given => {
	const session = accepted(pair);
	breakEachOther(session, ['AGT-001'], ['AGT-002']);
	return session;
};

/** The work of one agent has two conflicts with the target; without that work nothing is left to merge. */
const arbiterAtWork = (): Given => {
	const session = accepted(['AGT-001']);
	collide(session, {a: ['target'], b: ['AGT-001']}, {path: 'b.txt', a: ['target'], b: ['AGT-001']});
	session.decide('c-2', 'arbiter:codex', undefined, {subtask: subtask('AGT-004')});
	session.work();
	return session;
};

const arbiterDone = (): Given => {
	const session = breaking();
	session.decide('c-1', 'arbiter:codex', undefined, {subtask: subtask('AGT-004')});
	session.work();
	finishes(session, 'AGT-004');
	return session;
};

const checked = (ok: boolean): Given => {
	const session = accepted(pair);
	build(session);
	verify(session, ok);
	return session;
};

const finishes = (session: Given, id: string): void => {
	session.says(id, report('success'));
	session.ends(id);
};
