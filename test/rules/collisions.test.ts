import {expect, test} from 'vitest';
import type {Body} from '../../src/events/event.ts';
import type {Finding} from '../../src/events/finding.ts';
import {aroundIn} from '../../src/rules/around.ts';
import {
	collisionNotices,
	collisionsOf,
	collisionWords,
	pairsToCompare,
	unreportedCollisions,
} from '../../src/rules/collisions.ts';
import {fold} from '../../src/state/apply/apply.ts';
import type {State} from '../../src/state/state.ts';
import {planOf, sessionStarted, subtask} from '../helpers/plan.ts';

const stateAfter = (...bodies: readonly Body[]): State =>
	fold(bodies.map((body, position) => ({...body, seq: position + 1, at: '2026-01-01T00:00:00Z'})));

const started = sessionStarted(planOf(['AGT-001', 'AGT-002', 'AGT-003'].map(id => subtask(id))));

const ready = (agent: string, base = 'base'): Body => ({
	kind: 'workspace.prepared',
	agent,
	base,
	baseline: 'tree',
	onto: [],
	conflicts: [],
});

const snapshot = (agent: string, number = 1, files = 1): Body => ({
	kind: 'snapshot.taken',
	agent,
	number,
	reason: 'exit:1',
	commit: `commit-${number}`,
	tree: 'tree',
	work: `work-${agent}-${number}`,
	files,
	outside: [],
	claims: [],
});

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

const two = [started, ready('AGT-001'), ready('AGT-002'), snapshot('AGT-001'), snapshot('AGT-002')];

test('each agent with work is compared with each other one, on what they both stand', () => {
	const state = stateAfter(...two, ready('AGT-003'), snapshot('AGT-003', 1, 0));
	expect(pairsToCompare(state)).toEqual([
		{
			a: 'AGT-001',
			b: 'AGT-002',
			commits: {base: 'base', a: 'work-AGT-001-1', b: 'work-AGT-002-1'},
		},
	]);
});

test('a target that moved is compared with each of them', () => {
	const state = stateAfter(...two, {kind: 'target.moved', from: 'base', to: 'tip'});
	expect(pairsToCompare(state).filter(({b}) => b === 'target')).toEqual([
		{a: 'AGT-001', b: 'target', commits: {base: 'base', a: 'work-AGT-001-1', b: 'tip'}},
		{a: 'AGT-002', b: 'target', commits: {base: 'base', a: 'work-AGT-002-1', b: 'tip'}},
	]);
});

test('what collides is a notice, until it is gone', () => {
	const found = stateAfter(...two, compared([finding]));
	expect(collisionNotices(found)).toEqual([
		{level: 'warn', text: 'AGT-001 and AGT-002 collide: Both sides changed a.txt.'},
	]);
	expect(collisionsOf(found, 'AGT-002')).toEqual([{other: 'AGT-001', side: 'b', finding}]);
	expect(found.items).toEqual(stateAfter(...two).items);
	expect(collisionNotices(stateAfter(...two, compared([finding]), compared([])))).toEqual([]);
});

test('an agent that was taken out collides with nobody any more', () => {
	const move: Body = {
		kind: 'agent.moved',
		agent: 'AGT-002',
		from: 'PENDING',
		to: 'ABORTED',
		why: 'for a test',
	};
	expect(collisionNotices(stateAfter(...two, compared([finding]), move))).toEqual([]);
});

test('an agent is told of a collision once, and again if it comes back', () => {
	const turn: Body = {
		kind: 'turn.started',
		agent: 'AGT-001',
		turn: 2,
		prompt: 'resume',
		pid: 1,
		startTime: '1',
		items: [],
		collisions: [finding.key],
	};
	const told = [...two, compared([finding]), turn];
	const undelivered = (...bodies: readonly Body[]) =>
		['AGT-001', 'AGT-002'].filter(id => unreportedCollisions(stateAfter(...bodies), id).length > 0);
	expect(undelivered(...two, compared([finding]))).toEqual(['AGT-001', 'AGT-002']);
	expect(undelivered(...told)).toEqual(['AGT-002']);
	expect(undelivered(...told, compared([finding]))).toEqual(['AGT-002']);
	expect(undelivered(...told, compared([]), compared([finding]))).toEqual(['AGT-001', 'AGT-002']);
});

test('who is asked about one’s work is told what it collides with, first of all and not without end', () => {
	const many = Array.from({length: 7}, (_, index) => ({...finding, key: `F1 ${index}`}));
	expect(aroundIn(stateAfter(...two, compared([finding]))).collisions('AGT-002')).toEqual([
		'It collides with AGT-001: Both sides changed a.txt.',
	]);
	const state = stateAfter(...two, compared(many));
	expect(collisionWords(state, 'AGT-001')).toHaveLength(6);
	expect(collisionWords(state, 'AGT-001').at(-1)).toBe('It collides in 2 more ways.');
	expect(collisionWords(state, 'AGT-003')).toEqual([]);
});
