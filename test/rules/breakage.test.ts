import {expect, test} from 'vitest';
import {itemText} from '../../src/client/texts/item-text.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {lookedText} from '../../src/state/merge/attribution-text.ts';
import {accepted, type Given} from '../helpers/given.ts';
import {breakEachOther, builds, collide} from '../helpers/merging.ts';

const checker = {by: 'TypeScript 7.0.1', text: 'TS2554: Expected 2 arguments, but got 1.'};

const broken = (): Given => {
	const session = accepted(['AGT-001', 'AGT-002']);
	breakEachOther(session, ['AGT-001'], ['AGT-002'], checker);
	return session;
};

test('a person reads what breaks, both lines and what a checker says of it', () => {
	const [item] = inbox(broken().state());
	expect(item && itemText(item, '/store')).toContain(
		[
			'    File: src/use.ts  API_CONFLICT A2',
			'    What: size takes more now than src/use.ts gives it.',
			'    Confirmed: TypeScript 7.0.1: TS2554: Expected 2 arguments, but got 1.',
			'    AGT-001: src/size.ts:3 export const size = (a, b) => a + b;',
			'    AGT-002: src/use.ts:7 size(1);',
		].join('\n'),
	);
});

test.each(['AGT-001', 'AGT-002'])(
	'%s is sent back with its own lines first, and its work is no longer accepted',
	id => {
		const session = broken();
		session.decide('c-1', `feedback:${id}`, 'keep the old name, too');
		const {verdict, replies} = session.agent(id);
		expect(verdict).toEqual({kind: 'none'});
		const lines = {
			'AGT-001': 'src/size.ts:3 export const size = (a, b) => a + b;',
			'AGT-002': 'src/use.ts:7 size(1);',
		};
		const other = id === 'AGT-001' ? 'AGT-002' : 'AGT-001';
		expect(replies).toEqual([
			{
				item: 'c-1',
				heading: 'MERGE CONFLICT',
				about: `size takes more now than src/use.ts gives it. You: ${lines[id as keyof typeof lines]}. ${other}: ${lines[other]}. TypeScript 7.0.1 says: TS2554: Expected 2 arguments, but got 1.`,
				text: 'keep the old name, too',
			},
		]);
		expect(builds(session)).toBe(false);
		session.work();
		session.finishes(id);
		session.decide(session.item('review').id, 'merge');
		expect(builds(session)).toBe(true);
	},
);

test('the target is nobody to send back or to leave out', () => {
	const session = accepted(['AGT-001']);
	breakEachOther(session, ['target'], ['AGT-001']);
	expect(inbox(session.state())[0]?.choices.map(({choice}) => choice)).toEqual([
		'choose-one:target',
		'manual',
		'feedback:AGT-001',
		'redo:target,AGT-001',
		'abort:AGT-001',
		'accept',
		'arbiter:AGT-001',
	]);
});

test('whose side loses gives up the files at which it shows', () => {
	const session = broken();
	session.decide('c-1', 'choose-one:AGT-001');
	expect(session.state().resolutions).toMatchObject([
		{choice: 'choose-one', winner: ['AGT-001'], gives: ['src/use.ts']},
	]);
	expect(builds(session)).toBe(true);
});

test('what a person lets be is let be for as long as both works are what they were', () => {
	const session = broken();
	session.decide('c-1', 'accept');
	const {resolutions} = session.state();
	expect(resolutions).toMatchObject([{choice: 'accept', key: 'A2 src/use.ts size'}]);
	expect(builds(session)).toBe(true);
	session.tell({kind: 'target.moved', from: 'base', to: 'theirs'});
	expect(session.state().resolutions).toEqual(resolutions);
	breakEachOther(session, ['AGT-001'], ['AGT-002']);
	session.decide('c-2', 'feedback:AGT-002');
	expect(session.state().resolutions).toEqual([]);
});

test('a conflict of git’s has no such choice', () => {
	const session = broken();
	session.tell({kind: 'conflict.gone', conflict: 'c-1'});
	collide(session, {a: ['AGT-001'], b: ['AGT-002']});
	expect(session.refusal('c-2', 'accept')).toMatch(/is not a choice/);
});

test('that nothing was found is another sentence than that nobody looked', () => {
	const oracles = [{name: 'TypeScript', version: '7.0.1', ms: 1200}];
	expect(lookedText({outcome: 'compared', merges: 2, oracles, unread: 0}, 0)).toEqual({
		done: true,
		text: 'Compared 2 merges: nothing breaks, by reading and by TypeScript 7.0.1 in 1.2 s.',
	});
	expect(lookedText({outcome: 'compared', merges: 1, oracles: [], unread: 0}, 1)).toEqual({
		done: true,
		text: 'Compared 1 merge: nothing else breaks, by reading alone; no type checker ran.',
	});
	const unreadFiles = [{why: 'too large', paths: ['big.ts'], more: false}] as const;
	expect(
		lookedText({outcome: 'compared', merges: 2, oracles, unread: 1, unreadFiles}, 0).text,
	).toBe(
		'Compared 2 merges: nothing breaks, by reading and by TypeScript 7.0.1 in 1.2 s. Compared by git alone: big.ts (too large to read).',
	);
	expect(lookedText({outcome: 'failed', why: 'It broke.'}, 0)).toEqual({
		done: false,
		text: 'Not compared: It broke.',
	});
});

test('what a person mended by hand goes with anybody’s work: it holds everybody’s lines', () => {
	const session = accepted(['AGT-001', 'AGT-002', 'AGT-003']);
	breakEachOther(session, ['AGT-001'], ['AGT-002']);
	session.decide('c-1', 'manual');
	session.work();
	const seen = {files: [{path: 'src/use.ts', entry: {mode: '100644', oid: 'mended'}}]};
	session.decide('c-1', 'done', undefined, {seen});
	expect(session.state().resolutions).toMatchObject([{choice: 'manual'}]);
	session.ask({kind: 'steer', agent: 'AGT-003', order: {verb: 'stop'}});
	expect(session.state().resolutions).toEqual([]);
});

test('where one agent is on both sides, neither side can win and none comes first', () => {
	const session = accepted(['AGT-001', 'AGT-002']);
	breakEachOther(session, ['AGT-001'], ['AGT-001', 'AGT-002']);
	expect(inbox(session.state())[0]?.choices.map(({choice}) => choice)).toEqual([
		'manual',
		'feedback:AGT-001',
		'feedback:AGT-002',
		'abort:AGT-001',
		'abort:AGT-002',
		'accept',
		'arbiter:AGT-001',
		'arbiter:AGT-002',
	]);
});
