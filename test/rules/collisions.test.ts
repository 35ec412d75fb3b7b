import {expect, test} from 'vitest';
import type {Body} from '../../src/events/event.ts';
import type {Finding} from '../../src/events/finding.ts';
import {
	agentCollisions,
	collisionNotices,
	collisionWords,
	pairsToCompare,
	unreportedCollisions,
} from '../../src/rules/collisions.ts';
import {itemContextIn} from '../../src/rules/commands/read-decision.ts';
import {emptyState} from '../../src/state/state.ts';
import {type Given, working} from '../helpers/given.ts';
import {snapshotTaken} from '../helpers/quiet-outcome.ts';

const finding: Finding = {
	type: 'FILE_CONFLICT',
	rule: 'F1',
	kind: 'content',
	path: 'a.txt',
	key: 'F1 a.txt content',
	blocking: true,
	confidence: 'high',
	summary: 'Both sides changed a.txt.',
	evidence: [
		{side: 'a', path: 'a.txt', line: 1, text: 'one'},
		{side: 'b', path: 'a.txt', line: 1, text: 'two'},
	],
};

const compared = (findings: readonly Finding[]): Body => ({
	kind: 'work.compared',
	a: 'AGT-001',
	b: 'AGT-002',
	findings,
	more: 0,
});

/** A session of three, the first two of which have changed a file, after these events. */
const two = (...bodies: readonly Body[]): Given => {
	const session = working(['AGT-001', 'AGT-002', 'AGT-003']);
	for (const id of ['AGT-001', 'AGT-002']) {
		session.tell(snapshotTaken(session.state(), id, 'change:1'));
	}

	session.tell(...bodies);
	return session;
};

test('each agent with work is compared with each other one, on what they both stand', () => {
	const session = two({...snapshotTaken(emptyState, 'AGT-003', 'change:1'), files: 0});
	expect(pairsToCompare(session.state())).toEqual([
		{
			a: 'AGT-001',
			b: 'AGT-002',
			commits: {base: 'base', a: 'AGT-001-1-work', b: 'AGT-002-1-work'},
		},
	]);
});

test('a target that moved is compared with each of them', () => {
	const {state} = two({kind: 'target.moved', from: 'base', to: 'tip'});
	expect(pairsToCompare(state()).filter(({b}) => b === 'target')).toEqual([
		{a: 'AGT-001', b: 'target', commits: {base: 'base', a: 'AGT-001-1-work', b: 'tip'}},
		{a: 'AGT-002', b: 'target', commits: {base: 'base', a: 'AGT-002-1-work', b: 'tip'}},
	]);
});

test('a target is compared with work on top of other work from where it was under both', () => {
	const session = two();
	const onTop = {base: 'put', baseline: 'put', onto: ['AGT-001'], conflicts: []};
	session.tell(
		{kind: 'workspace.prepared', agent: 'AGT-002', ...onTop},
		snapshotTaken(session.state(), 'AGT-002', 'change:2'),
	);
	expect(pairsToCompare(session.state()).filter(({b}) => b === 'target')).toEqual([
		{a: 'AGT-002', b: 'target', commits: {a: 'AGT-002-2-work', b: 'base'}},
	]);
});

test('what collides is a notice, until it is gone or one of them is taken out', () => {
	const session = two(compared([finding]));
	const notices = () => collisionNotices(session.state());
	expect(notices()).toEqual([
		{level: 'warn', text: 'AGT-001 and AGT-002 collide: Both sides changed a.txt.'},
	]);
	expect(agentCollisions(session.state(), 'AGT-002')).toEqual([
		{other: 'AGT-001', side: 'b', finding},
	]);
	expect(session.kinds()).toEqual([]);
	session.tell(compared([]));
	expect(notices()).toEqual([]);
	session.tell(compared([finding]));
	expect(notices()).toHaveLength(1);
	session.ask({kind: 'steer', agent: 'AGT-002', order: {verb: 'stop'}});
	session.work();
	expect(session.stateOf('AGT-002')).toBe('ABORTED');
	expect(notices()).toEqual([]);
});

test('an agent is told of a collision once, and again if it comes back', () => {
	const session = two(compared([finding]));
	const unreported = () =>
		['AGT-001', 'AGT-002'].filter(id => unreportedCollisions(session.state(), id).length > 0);
	expect(unreported()).toEqual(['AGT-001', 'AGT-002']);
	session.tell({
		...{kind: 'turn.started', agent: 'AGT-001', turn: 2, prompt: 'resume', pid: 1, startTime: '1'},
		...{items: [], collisions: [finding.key]},
	});
	expect(unreported()).toEqual(['AGT-002']);
	session.tell(compared([finding]));
	expect(unreported()).toEqual(['AGT-002']);
	session.tell(compared([{...finding, key: 'another'}]), compared([finding]));
	expect(unreported()).toEqual(['AGT-001', 'AGT-002']);
});

test('who is asked about one’s work is told what it collides with, first of all and not without end', () => {
	const many = Array.from({length: 7}, (_, index) => ({...finding, key: `F1 ${index}`}));
	expect(itemContextIn(two(compared([finding])).state()).collisions('AGT-002')).toEqual([
		'It collides with AGT-001: Both sides changed a.txt.',
	]);
	const state = two(compared(many)).state();
	expect(collisionWords(state, 'AGT-001')).toHaveLength(6);
	expect(collisionWords(state, 'AGT-001').at(-1)).toBe('It collides in 2 more ways.');
	expect(collisionWords(state, 'AGT-003')).toEqual([]);
});

test('what collides in work that another agent stands on is said of whose work that is', () => {
	const session = two(compared([finding]));
	session.tell(snapshotTaken(session.state(), 'AGT-003', 'change:1'));
	const own = {...finding, key: 'F1 c.txt content', path: 'c.txt', summary: 'Both changed c.txt.'};
	session.tell({...compared([finding, own]), a: 'AGT-002', b: 'AGT-003'} as Body);
	const state = session.state();
	const agents = state.agents.map(agent => ({
		...agent,
		snapshots: agent.snapshots.map(one =>
			agent.id === 'AGT-003'
				? {...one, startingPoint: {...one.startingPoint, onto: ['AGT-001']}}
				: one,
		),
	}));
	expect(collisionNotices({...state, agents}).map(({text}) => text)).toEqual([
		'AGT-001 and AGT-002 collide: Both sides changed a.txt.',
		'AGT-002 and AGT-003 collide: Both changed c.txt.',
	]);
	expect(collisionWords({...state, agents}, 'AGT-003')).toEqual([
		'It collides with AGT-002: Both changed c.txt.',
	]);
});
