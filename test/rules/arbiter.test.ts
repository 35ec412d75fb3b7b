import {expect, test} from 'vitest';
import {arbiterDetail} from '../../src/state/items/conflict/arbiter.ts';
import {acceptedAgents} from '../../src/state/merge/members.ts';
import {accepted, type Given} from '../helpers/given.ts';
import {collide} from '../helpers/merging.ts';
import {subtask} from '../helpers/plan.ts';

const pair = ['AGT-001', 'AGT-002'];

const arbiter = {...subtask('AGT-003'), scope: {allowed: ['a.txt'], forbidden: []}};

/** A conflict that an agent was asked to settle, which is at work. */
const asked = (): Given => {
	const session = accepted(pair);
	collide(session, {a: ['AGT-001'], b: ['AGT-002']});
	session.decide('c-1', 'arbiter:claude', 'Keep both', {subtask: arbiter});
	session.work();
	expect(session.stateOf('AGT-003')).toBe('RUNNING');
	return session;
};

const proposed = (): Given => {
	const session = asked();
	session.finishes('AGT-003');
	return session;
};

const files = [{path: 'a.txt', entry: {mode: '100644', oid: '1'}}];

const take = {kind: 'decide', item: 'c-1', choice: 'take:AGT-003', by: 'user'} as const;

test('an arbiter works beside a conflict that stays, and there is one of them at a time', () => {
	const session = asked();
	expect(session.kinds()).toEqual(['conflict']);
	expect(session.state().merge.phase).toBe('blocked');
	expect(session.refusal('c-1', 'arbiter:codex', {subtask: arbiter})).toBe(
		'AGT-003 was asked already; choose drop:AGT-003 before you ask another one.',
	);
});

test('nobody is asked who is not known', () => {
	const session = accepted(pair);
	collide(session, {a: ['AGT-001'], b: ['AGT-002']});
	expect(session.refusal('c-1', 'arbiter:nobody')).toBe(
		'No profile and no agent of this session is called nobody.',
	);
});

test('what it proposes opens no review, and is taken as what a person made by hand', () => {
	const session = proposed();
	expect(session.stateOf('AGT-003')).toBe('COMPLETE');
	expect(session.kinds()).toEqual(['conflict']);
	expect(session.ask({...take, seen: {files, marked: ['a.txt']}})).toBe(
		'Conflict markers remain in a.txt.',
	);
	expect(session.ask({...take, seen: {files, marked: []}})).toBeUndefined();
	expect(session.state().resolutions).toMatchObject([{choice: 'manual', path: 'a.txt', files}]);
	expect(session.agent('AGT-003')).toMatchObject({state: 'ABORTED', why: 'its proposal was taken'});
	expect(acceptedAgents(session.state()).map(({id}) => id)).toEqual(pair);
	expect(session.keys()).toEqual(['build:base:AGT-001@1:AGT-002@1:1']);
});

test('it is sent back with a note, and its failure is told at the conflict alone', () => {
	const session = proposed();
	session.decide('c-1', 'again:AGT-003', 'Shorter');
	session.work();
	expect(session.stateOf('AGT-003')).toBe('RUNNING');
	session.ends('AGT-003', {by: 'exit', code: 1});
	expect(session.stateOf('AGT-003')).toBe('FAILED');
	expect(session.kinds()).toEqual(['conflict']);
	session.decide('c-1', 'again:AGT-003');
	session.work();
	expect(session.stateOf('AGT-003')).toBe('RUNNING');
});

test.each(['choose-one:AGT-001', 'drop:AGT-003'])(
	'it is stopped when its proposal is of no use any more: %s',
	choice => {
		const session = asked();
		session.decide('c-1', choice);
		expect(session.keys()).toContain('end-turn:AGT-003:1');
		session.ends('AGT-003', {by: 'stopped'});
		expect(session.stateOf('AGT-003')).toBe('ABORTED');
	},
);

test('one that is asked for a second conflict needs an id that nobody has', () => {
	const session = accepted(pair);
	collide(
		session,
		{a: ['AGT-001'], b: ['AGT-002']},
		{path: 'b.txt', a: ['AGT-001'], b: ['AGT-002']},
	);
	session.decide('c-1', 'arbiter:claude', undefined, {subtask: arbiter});
	expect(session.refusal('c-2', 'arbiter:claude', {subtask: arbiter})).toBe(
		'There is an agent AGT-003 already.',
	);
});

/** One agent collides with the target in two files, and the second of them is to be settled by an arbiter. */
const askedOfTwo = (): Given => {
	const session = accepted(['AGT-001']);
	collide(session, {a: ['target'], b: ['AGT-001']}, {path: 'b.txt', a: ['target'], b: ['AGT-001']});
	session.decide('c-2', 'arbiter:claude', undefined, {subtask: arbiter});
	session.work();
	return session;
};

test('it goes when nobody is left whose work could be merged, and the session ends', () => {
	const session = askedOfTwo();
	session.decide('c-1', 'abort:AGT-001');
	session.work();
	expect(session.stateOf('AGT-003')).toBe('ABORTED');
	expect(session.state().session?.ended).toMatchObject({status: 'ABORTED'});
});

test('its proposal can be dropped while the merge is rebuilt', () => {
	const session = asked();
	session.tell({kind: 'user.steered', agent: 'AGT-001', order: {verb: 'restart', from: null}});
	expect(session.state().merge.phase).not.toBe('blocked');
	expect(session.refusal('c-1', 'drop:AGT-003')).toBeUndefined();
});

test('to start over changes nothing of what goes into the merge', () => {
	const session = asked();
	const {merge} = session.state();
	expect(
		session.ask({kind: 'steer', agent: 'AGT-003', order: {verb: 'restart', from: null}}),
	).toBeUndefined();
	expect(session.state().merge).toEqual(merge);
});

test('its proposal stands at the conflict alone when it can’t be made to work again', () => {
	const session = proposed();
	session.decide('c-1', 'again:AGT-003');
	session.fails('start:AGT-003', 'no room');
	expect(session.stateOf('AGT-003')).toBe('COMPLETE');
	expect(session.kinds()).toEqual(['conflict']);
	expect(arbiterDetail(session.agent('AGT-003'))).toMatchObject({
		unheard: expect.stringContaining('no room'),
	});
	session.decide('c-1', 'again:AGT-003');
	session.work();
	expect(arbiterDetail(session.agent('AGT-003'))).not.toHaveProperty('unheard');
});

test('one that waited for a place does not begin while what collides is being changed', () => {
	const session = accepted(pair, {settings: {parallel: 1}});
	collide(
		session,
		{a: ['AGT-001'], b: ['AGT-002']},
		{path: 'b.txt', a: ['AGT-001'], b: ['AGT-002']},
	);
	session.decide('c-1', 'arbiter:claude', undefined, {subtask: arbiter});
	session.decide('c-2', 'arbiter:claude', undefined, {subtask: {...arbiter, id: 'AGT-004'}});
	session.work();
	expect(session.stateOf('AGT-004')).toBe('PENDING');
	session.tell({kind: 'user.steered', agent: 'AGT-001', order: {verb: 'restart', from: null}});
	for (const id of ['AGT-003', 'AGT-001']) {
		session.finishes(id);
		session.work();
	}

	expect(session.stateOf('AGT-001')).toBe('COMPLETE');
	expect(session.state().merge.phase).not.toBe('blocked');
	expect(session.stateOf('AGT-004')).toBe('PENDING');
});
