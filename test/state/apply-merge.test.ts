import {describe, expect, it} from 'vitest';
import {isMerging, whyNotUndo} from '../../src/rules/effects/merging.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {fold} from '../../src/state/apply/apply.ts';
import {conflictFound, mergePublished} from '../../src/state/apply/apply-merge.ts';
import {movesInterrupted} from '../../src/state/apply/apply-publication.ts';
import {accepted, type Given, stopWork} from '../helpers/given.ts';
import * as happened from '../helpers/happened.ts';
import {
	build,
	checked,
	collide,
	evidenceAt,
	publish,
	refuse,
	secondSalvaged,
	secondToReview,
	verify,
} from '../helpers/merging.ts';
import {subtask} from '../helpers/plan.ts';

const pair = ['AGT-001', 'AGT-002'];

/** A session in which the work could not be put together. */
const unbuilt = (): Given => {
	const session = accepted(pair);
	session.fails('build:');
	expect(session.state().merge).toMatchObject({phase: 'failed'});
	return session;
};

describe('a check that failed', () => {
	const why = (commands: readonly {command: string; code: number | null}[]): string => {
		const session = accepted(pair);
		build(session);
		const tree = 'tree of result';
		session.tell({kind: 'verify.ended', commit: 'result', tree, ok: false, commands, log: null});
		expect(session.item('verify')).toMatchObject({commit: 'result'});
		return session.item('verify').why;
	};

	it('is told by the command that failed', () => {
		const good = {command: 'npm ci', code: 0};
		expect(why([good, {command: 'npm test', code: 2}])).toBe('`npm test` exited with code 2');
		expect(why([good, {command: 'npm test', code: null}])).toBe(
			'`npm test` could not run to its end',
		);
		expect(why([good])).toBe('the check failed');
	});

	it('sends everybody back with why, and with the person’s words', () => {
		for (const note of ['fix the clock', undefined]) {
			const session = checked(pair, false);
			session.decide('v-1', 'feedback', note);
			expect(session.state().merge).toEqual({phase: 'none'});
			for (const id of pair) {
				expect(session.agent(id).verdict).toEqual({kind: 'none'});
				expect(session.agent(id).replies).toEqual([
					{
						item: 'v-1',
						heading: 'REVIEW FEEDBACK',
						about: 'The check of all agents’ work together failed: `npm test` exited with code 1.',
						text: note ?? '',
					},
				]);
			}
		}
	});

	it('ends only those whose work is in it', () => {
		const session = checked(['AGT-001'], false);
		session.ask({kind: 'add', subtask: subtask('AGT-002')});
		session.decide('v-1', 'abort');
		expect(session.agent('AGT-001').verdict).toEqual({
			kind: 'cancelled',
			why: 'aborted by a person after the check',
		});
		expect(session.agent('AGT-002').verdict).toEqual({kind: 'none'});
	});
});

describe('work that could not be put together', () => {
	it('is told as that, and not as a check that failed', () => {
		expect(inbox(unbuilt().state())).toMatchObject([
			{kind: 'verify', title: 'The accepted work could not be combined: the disk is full'},
		]);
	});

	it('sends everybody back with that', () => {
		const session = unbuilt();
		session.decide('v-1', 'feedback', 'smaller files');
		for (const id of pair) {
			expect(session.agent(id).replies).toMatchObject([
				{
					about: 'The check of all agents’ work together failed: it could not be put together.',
					text: 'smaller files',
				},
			]);
		}
	});

	it('is given up', () => {
		const session = unbuilt();
		session.decide('v-1', 'abort');
		expect(pair.map(id => session.stateOf(id))).toEqual(['ABORTED', 'ABORTED']);
	});

	it('is tried again, as often as the first time', () => {
		const session = unbuilt();
		expect(session.keys()).toEqual([]);
		session.decide('v-1', 'retry');
		expect(session.state().attempts).toEqual([]);
		expect(session.keys()).toEqual(['build:base:AGT-001@1:AGT-002@1:0']);
		expect(session.kinds()).toEqual([]);
	});
});

describe('a result', () => {
	it('holds what was told of it, and no more', () => {
		const session = accepted(pair);
		const {kind: _, ...body} = happened.mergeBuilt({agents: pair});
		session.tell({kind: 'merge.built', ...body});
		const {seq, at} = session.state();
		expect(session.state().merge).toEqual({phase: 'built', built: body, due: {seq, at}});
	});

	const places = [{path: 'a.test.ts', line: 3, text: 'AssertionError'}];
	const tree = 'tree of result';
	const commands = [{command: 'npm test', code: 1}];
	it.each<[string, typeof commands, {places?: typeof places}, readonly object[]]>([
		['where it failed', commands, {places}, [{tree, ok: false, places}]],
		['that it failed, wherever', commands, {}, [{tree, ok: false}]],
		['nothing, where nothing was run', [], {places}, []],
	])('that was checked leaves known of its tree %s', (_, ran, told, known) => {
		const session = accepted(pair);
		build(session);
		const outcome = {commit: 'result', tree, ok: false, commands: ran, log: null, ...told};
		session.tell({kind: 'verify.ended', ...outcome});
		const {merge, checkedTrees} = session.state();
		expect(merge.phase === 'verified' && merge.verified.places).toEqual(told.places);
		expect(checkedTrees).toEqual(known);
	});

	it('that is published voids what was resolved between other work and the target as it was', () => {
		const session = checked(pair);
		session.decide('a-1', 'approve');
		const sides = {path: 'a.txt', a: ['AGT-003'], b: ['target']};
		const resolution = {...sides, choice: 'choose-one', winner: ['target']} as const;
		const {seq, at, ...state} = session.state();
		const event = {...happened.mergePublished({agents: pair}), seq, at};
		const after = mergePublished({...state, seq, at, resolutions: [resolution]}, event);
		expect(after.resolutions).toEqual([]);
	});

	it('that is rejected opens each review again, and says why', () => {
		const session = secondSalvaged();
		build(session);
		verify(session, true);
		const {why} = session.agent('AGT-002');
		session.decide('a-1', 'reject');
		expect(session.item('review')).toMatchObject({
			agent: 'AGT-001',
			trouble: 'a person rejected the merged result',
		});
		expect(session.item('failure')).toMatchObject({agent: 'AGT-002', why});
		expect(session.agent('AGT-001').verdict).toEqual({kind: 'none'});
		expect(session.agent('AGT-002').verdict).toEqual({kind: 'none'});
		expect(session.state().merge).toEqual({phase: 'none'});
	});

	it('that is void takes only its own questions with it', () => {
		const session = checked(pair);
		session.ask({kind: 'add', subtask: subtask('AGT-003')});
		session.work();
		session.says('AGT-003', stopWork);
		session.tell({kind: 'target.moved', from: 'base', to: 'theirs'});
		expect(session.kinds()).toEqual(['blocker']);
		expect(session.state().session?.tip).toBe('theirs');
	});

	it('that is checked and needs no asking twice keeps its first approval', () => {
		const session = checked(pair);
		const approval = session.item('approval');
		expect(session.state().merge).toMatchObject({
			phase: 'verified',
			verified: {ok: true, commands: [{command: 'npm test', code: 0}], log: null},
		});
		verify(session, true);
		expect(session.state().items).toEqual([approval]);
		expect(approval).not.toHaveProperty('refused');
	});

	it('that is published spends the resolutions', () => {
		const session = accepted(pair);
		collide(session, {a: ['AGT-001'], b: ['AGT-002']});
		session.decide('c-1', 'choose-one:AGT-002');
		build(session);
		verify(session, true);
		expect(session.state().resolutions).toHaveLength(1);
		session.decide('a-1', 'approve');
		expect(session.state().merge).toMatchObject({phase: 'intended', approval: 'a-1'});
		publish(session);
		expect(session.state().resolutions).toEqual([]);
		expect(session.state().merge).toEqual({phase: 'none'});
		expect(session.state().publications).toMatchObject([{built: {commit: 'result'}}]);
	});

	it('stays published whatever moves afterwards', () => {
		const session = checked(pair);
		session.ask({kind: 'add', subtask: subtask('AGT-003')});
		session.decide('a-1', 'approve');
		publish(session);
		session.tell({kind: 'target.moved', from: 'result', to: 'theirs'});
		expect(session.state().publications).toMatchObject([{phase: 'standing'}]);
	});
});

describe('news that fit nothing', () => {
	it.each(['none', 'verified'])('change no merge that is %s', phase => {
		const session = phase === 'none' ? accepted(pair) : checked(pair);
		const {merge, items} = session.state();
		expect(merge.phase).toBe(phase);
		publish(session);
		refuse(session, 'dirty-checkout');
		refuse(session, 'target-moved');
		session.tell({kind: 'merge.intended', commit: 'result', from: 'base'});
		session.tell({kind: 'conflict.gone', conflict: 'c-9'});
		expect(session.state().merge).toEqual(merge);
		expect(session.state().items).toEqual(items);
		expect(session.state().publications).toEqual([]);
	});

	it('void the approval of nothing when the target is said to have moved for it', () => {
		const session = checked(pair);
		session.decide('a-1', 'approve');
		refuse(session, 'target-moved');
		expect(session.state().merge).toEqual({phase: 'none'});
		expect(session.kinds()).toEqual([]);
	});
});

describe('a conflict that is found', () => {
	const sides = {a: ['AGT-001'], b: ['AGT-002']};
	const found = {
		path: 'b.txt',
		...sides,
		type: 'FILE_CONFLICT',
		summary: 'both changed it',
		stages: {base: null, a: null, b: null},
		evidence: evidenceAt('b.txt'),
	} as const;
	const told = {kind: 'conflict.found', ...found, seq: 99, at: '2026-01-01T00:00:00.000Z'} as const;

	/** A state with two conflicts, the second one of `b.txt`, which breaks something else. */
	const two = () => {
		const session = accepted(pair);
		collide(session, {...sides, path: 'a.txt'});
		session.tell({kind: 'conflict.found', ...found, breaks: []});
		const state = session.state();
		const [first, second] = state.items;
		const item = {id: 'c-2', number: 2, opened: state.at, manual: {phase: 'none'}} as const;
		return {state, first, second, item};
	};

	it('holds what was told of it, and no more', () => {
		const {second, item} = two();
		expect(second).toEqual({kind: 'conflict', ...found, breaks: [], ...item});
	});

	it('anew while it is open is what was told last, and breaks what it does now', () => {
		const {state, first, item} = two();
		const after = conflictFound(state, {...told, summary: 'it changed', reopens: 'c-2'});
		const changed = {kind: 'conflict', ...found, summary: 'it changed', ...item};
		expect(after).toEqual({...state, items: [first, changed]});
	});

	it('anew once files were taken is the item that they left unsettled', () => {
		const {state, first, second, item} = two();
		const byHand = {path: 'b.txt', ...sides, choice: 'manual', files: []} as const;
		const settled = {
			...item,
			manual: {phase: 'open', folder: '/by-hand', since: state.at},
		} as const;
		const resolutions = [
			{...byHand, settles: {...settled, id: 'c-7'}},
			{...byHand, settles: {...settled, id: 'c-8', key: 'A2 b.txt size'}},
		];
		const before = {...state, resolutions};
		const after = conflictFound(before, {...told, reopens: 'c-8'});
		const again = {kind: 'conflict', ...found, ...settled, id: 'c-8', again: true};
		expect(after).toEqual({...before, items: [first, second, again]});
	});
});

describe('a conflict', () => {
	it('tells who has to work again what it was about', () => {
		const session = accepted([...pair, 'AGT-003']);
		collide(session, {path: 'b.txt', a: ['AGT-001', 'AGT-002'], b: ['AGT-003']});
		session.decide('c-1', 'redo:AGT-001,AGT-002,AGT-003', 'keep both');
		expect(session.agent('AGT-003')).toMatchObject({verdict: {kind: 'none'}, rework: pair});
		expect(session.agent('AGT-003').replies).toEqual([
			{
				item: 'c-1',
				heading: 'MERGE CONFLICT',
				about: 'b.txt: both changed it',
				text: 'keep both',
			},
		]);
		expect(session.kinds()).toEqual([]);
	});

	it('waits for a choice at first, and may be sent back without a word', () => {
		const session = accepted(pair);
		collide(session, {a: ['AGT-001'], b: ['AGT-002']});
		expect(session.item('conflict').manual).toEqual({phase: 'none'});
		session.decide('c-1', 'redo:AGT-001,AGT-002');
		expect(session.agent('AGT-002').replies).toMatchObject([{text: ''}]);
	});

	it('is won by several who agree', () => {
		const session = accepted([...pair, 'AGT-003']);
		collide(session, {a: pair, b: ['AGT-003']});
		session.decide('c-1', 'choose-one:AGT-001+AGT-002');
		expect(session.state().resolutions).toMatchObject([{winner: pair}]);
	});

	it('takes nobody but the named agent out', () => {
		const session = accepted(pair);
		collide(session, {a: ['AGT-001'], b: ['AGT-002']});
		session.decide('c-1', 'abort:AGT-002');
		expect(session.agent('AGT-002').verdict).toEqual({
			kind: 'cancelled',
			why: 'taken out of the merge by a person',
		});
		expect(session.agent('AGT-001').verdict.kind).toBe('accepted');
		expect(session.kinds()).toEqual([]);
	});

	it('of an agent that is taken out voids its resolutions', () => {
		const session = accepted(pair);
		const sides = {a: ['AGT-001'], b: ['AGT-002']};
		collide(session, {...sides, path: 'a.txt'}, {...sides, path: 'b.txt'});
		session.decide('c-1', 'choose-one:AGT-001');
		expect(session.state().resolutions).toHaveLength(1);
		session.decide('c-2', 'abort:AGT-002');
		expect(session.state().resolutions).toEqual([]);
		// With the decision itself, not only with the end of the agent that follows from it.
		const events = session.events();
		const decided = events.findLastIndex(({kind}) => kind === 'user.decided');
		expect(fold(events.slice(0, decided)).resolutions).toHaveLength(1);
		expect(fold(events.slice(0, decided + 1)).resolutions).toEqual([]);
	});

	it('that is gone leaves the others, and the one that is opened by hand is marked alone', () => {
		const session = accepted(pair);
		const sides = {a: ['AGT-001'], b: ['AGT-002']};
		collide(session, {...sides, path: 'a.txt'}, {...sides, path: 'b.txt'});
		session.decide('c-2', 'manual');
		expect(session.keys()).toEqual(['open-resolution:c-2']);
		session.tell({kind: 'conflict.gone', conflict: 'c-1'});
		expect(session.state().items).toMatchObject([{id: 'c-2', manual: {phase: 'wanted'}}]);
	});
});

describe('a second merge of a session', () => {
	/** One merge is published, and a second one is about to be. */
	const second = (): Given => {
		const session = secondToReview();
		session.decide('r-2', 'merge');
		build(session, 'second', 'result');
		verify(session, true, 'second');
		session.decide('a-2', 'approve');
		return session;
	};

	it('is asked about again when it is refused, and the first one stands', () => {
		const session = second();
		const {publications} = session.state();
		expect(whyNotUndo(session.state())).toBe('main is being moved.');
		refuse(session, 'dirty-checkout', 'second');
		expect(session.item('approval')).toMatchObject({commit: 'second', tip: 'result'});
		expect(session.state().publications).toEqual(publications);
		expect(whyNotUndo(session.state())).toBeUndefined();
	});

	it('that was cut off is all that was cut off', () => {
		const session = second();
		session.tell(happened.supervisorStarted({pid: 2}));
		expect(session.state().interrupted).toMatchObject([{from: 'result', to: 'second'}]);
	});

	it('is told apart from others that were cut off', () => {
		const session = checked(pair);
		session.decide('a-1', 'approve');
		const since = '2026-01-01T00:00:00.000Z';
		const others = [
			{from: 'base', to: 'another', since},
			{from: 'another', to: 'result', since},
		];
		const {interrupted} = movesInterrupted({...session.state(), interrupted: others});
		expect(interrupted).toMatchObject([...others, {from: 'base', to: 'result'}]);
	});
});

describe('what is owed', () => {
	it('is no merge of nothing, nor of a session that stops', () => {
		const session = accepted(pair);
		expect(isMerging(session.state())).toBe(true);
		const agents = session.state().agents.map(agent => ({...agent, state: 'ABORTED' as const}));
		expect(isMerging({...session.state(), agents})).toBe(false);
		expect(isMerging({...session.state(), agents: []})).toBe(false);
		const state = session.state();
		const stopping = state.session && {...state.session, stopping: 'ABORTED' as const};
		expect(isMerging({...state, session: stopping})).toBe(false);
	});
});

describe('a resolution', () => {
	it('with the target is void when a publication is refused for something else while the target moves', () => {
		const session = accepted(['AGT-001']);
		collide(session, {a: ['target'], b: ['AGT-001']});
		session.decide('c-1', 'choose-one:target');
		build(session);
		verify(session, true);
		session.decide('a-1', 'approve');
		session.tell({kind: 'target.moved', from: 'base', to: 'theirs'});
		expect(session.state().resolutions).toHaveLength(1);
		refuse(session, 'dirty-checkout');
		expect(session.state().resolutions).toEqual([]);
	});

	it('by hand may leave no file', () => {
		const session = accepted(pair);
		collide(session, {a: ['AGT-001'], b: ['AGT-002']});
		session.decide('c-1', 'manual');
		session.tell({kind: 'user.decided', item: 'c-1', choice: 'done', by: 'user'});
		expect(session.state().resolutions).toMatchObject([{choice: 'manual', files: []}]);
	});

	it('waits for other conflicts, and for nothing else', () => {
		const session = accepted(pair);
		session.ask({kind: 'add', subtask: subtask('AGT-003')});
		session.work();
		session.says('AGT-003', stopWork);
		collide(session, {a: ['AGT-001'], b: ['AGT-002']});
		session.decide('c-1', 'choose-one:AGT-001');
		expect(session.state().merge).toEqual({phase: 'none'});
	});
});

describe('a target that moved', () => {
	it('takes the question about a failed check with it, and no attempt but those to build', () => {
		const session = checked(pair, false);
		const effect = {do: 'snapshot', agent: 'AGT-001', reason: 'x'} as const;
		session.tell({kind: 'effect.failed', effect, message: 'x', final: false});
		session.tell({kind: 'target.moved', from: 'base', to: 'theirs'});
		expect(session.kinds()).toEqual([]);
		expect(session.state().attempts).toMatchObject([{effect}]);
	});
});
