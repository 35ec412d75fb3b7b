import {expect, test} from 'vitest';
import {pairsToCompare} from '../../src/rules/collisions.ts';
import {inbox, withSpent} from '../../src/rules/inbox.ts';
import {acceptedAgents} from '../../src/state/merge/members.ts';
import {checkpoint, completed, type Given, working} from '../helpers/given.ts';
import {scopeLeft} from '../helpers/happened.ts';
import {collide} from '../helpers/merging.ts';
import {subtask} from '../helpers/plan.ts';

const rival = (id: string) => subtask(id, {bestOf: 'AGT-001'});

const two = [rival('AGT-001'), rival('AGT-002')];

const reviewOf = (session: Given, id: string): string =>
	session.state().items.find(item => item.kind === 'review' && item.agent === id)?.id ?? '';

const answer = (item: string, choice: string) =>
	({kind: 'decide', item, choice, by: 'user'}) as const;

const taken = (session: Given): readonly string[] =>
	acceptedAgents(session.state()).map(({id}) => id);

const helpAsked = checkpoint('Request: HELP');

const files = [{path: 'b.txt', entry: {mode: '100644', oid: '1'}}];

test('the work of one rival is taken, and the other is set aside by name', () => {
	const session = completed(two);
	session.decide(reviewOf(session, 'AGT-002'), 'merge');
	expect(taken(session)).toEqual(['AGT-002']);
	expect(session.stateOf('AGT-001')).toBe('ABORTED');
	expect(session.agent('AGT-001').why).toBe('set aside, since AGT-002 was taken');
	expect(session.agent('AGT-001').snapshots).not.toEqual([]);
	expect(session.kinds()).toEqual([]);
});

test('none is taken while another is at it, but by a choice that says that it is stopped', () => {
	const session = working(two);
	session.finishes('AGT-001');
	const review = reviewOf(session, 'AGT-001');
	expect(session.refusal(review, 'merge')).toBe(
		'AGT-002 does the same and is not finished yet. Wait for that, or choose merge-and-stop, which ends it.',
	);
	expect(session.stateOf('AGT-002')).toBe('RUNNING');
	session.decide(review, 'merge-and-stop');
	expect(session.agent('AGT-002').verdict).toEqual({
		kind: 'cancelled',
		why: 'set aside, since AGT-001 was taken',
	});
});

test('a rival that is sent back is at it again', () => {
	const session = completed(two);
	session.decide(reviewOf(session, 'AGT-002'), 'feedback', 'Try again');
	expect(session.refusal(reviewOf(session, 'AGT-001'), 'merge')).toContain('AGT-002');
});

test('nobody takes a rival by the way: not at a checkpoint, not by the level of supervision', () => {
	const session = working(two, {plan: {supervision: 'semi-autonomous'}});
	session.says('AGT-001', helpAsked);
	session.ends('AGT-001');
	expect(session.refusal(session.item('checkpoint').id, 'merge')).toBe(
		'AGT-002 does the same: let it finish, then take one of the works.',
	);
	session.finishes('AGT-002');
	expect(session.kinds()).toContain('review');
	expect(taken(session)).toEqual([]);
});

test('what a failed rival did can be taken once nobody is at it, and the other can be', () => {
	const session = working(two);
	session.ends('AGT-001', {by: 'exit', code: 1});
	const failure = session.item('failure').id;
	expect(session.refusal(failure, 'salvage')).toContain('AGT-002 does the same');
	expect(session.refusal(failure, 'redistribute')).toContain('is not a choice');
	session.finishes('AGT-002');
	session.decide(reviewOf(session, 'AGT-002'), 'merge');
	expect(taken(session)).toEqual(['AGT-002']);
	expect(session.stateOf('AGT-001')).toBe('ABORTED');
});

test('of a work that is taken with files of a rival, those come from the rival alone', () => {
	const session = completed([...two, rival('AGT-003')]);
	const review = reviewOf(session, 'AGT-001');
	expect(session.refusal(review, 'merge-with:AGT-002')).toContain('which files of AGT-002');
	expect(session.ask({...answer(review, 'merge-with:AGT-002'), note: 'c.txt'})).toBe(
		'AGT-002 changed no file that matches.',
	);
	session.decide(review, 'merge-with:AGT-002', 'b.txt', {seen: {files}});
	expect(session.agent('AGT-001').verdict).toEqual({
		...{kind: 'accepted', only: [], beside: ['AGT-002'], without: ['b.txt']},
	});
	expect(session.agent('AGT-002').verdict).toEqual({
		...{kind: 'accepted', only: [], beside: ['AGT-001'], files},
	});
	expect(session.stateOf('AGT-003')).toBe('ABORTED');
});

test('hunks of a rival are merged with what the other did in the same file', () => {
	const session = completed(two);
	session.decide(reviewOf(session, 'AGT-001'), 'merge-with:AGT-002', undefined, {
		patch: 'a patch',
		seen: {files},
	});
	expect(session.agent('AGT-001').verdict).toMatchObject({without: []});
	expect(taken(session)).toEqual(['AGT-001', 'AGT-002']);
});

test('parts that were picked need no note, and name whose they are', () => {
	const session = completed([...two, rival('AGT-003')]);
	const picked = {work: 'w2', parts: [{file: 0, hunks: [0]}]};
	const review = {...answer(reviewOf(session, 'AGT-001'), 'merge-with:AGT-002'), picked};
	const third = {path: 'c.txt', entry: {mode: '100644', oid: '2'}};
	expect(session.ask({...review, note: 'b.txt', seen: {files}})).toContain('not by both');
	const foreign = [...files, {...third, of: 'AGT-009'}];
	expect(session.ask({...review, seen: {files: foreign}})).toContain('AGT-009 is not a rival');
	const both = [...files, {...third, of: 'AGT-003'}];
	expect(session.ask({...review, seen: {files: both}})).toBeUndefined();
	expect(session.agent('AGT-001').verdict).toMatchObject({
		...{beside: ['AGT-002', 'AGT-003'], without: []},
	});
	expect(session.agent('AGT-002').verdict).toMatchObject({files});
	expect(session.agent('AGT-003').verdict).toMatchObject({files: [third]});
});

test('parts of further works come only with a rival’s, and only of rivals', () => {
	const part = {work: 'w', parts: [{file: 0, hunks: [0]}]};
	const along = (agent: string) => ({...part, also: [{...part, agent}]});
	const alone = completed(['AGT-001', 'AGT-002']);
	const merge = {...answer(reviewOf(alone, 'AGT-001'), 'merge'), picked: along('AGT-002')};
	const of = [...files, {path: 'c.txt', entry: null, of: 'AGT-002'}];
	const why =
		'Only "merge-with" takes parts of another agent’s work, and that agent must be a rival.';
	expect(alone.ask({...merge, seen: {files: of}})).toBe(why);
	const session = completed([...two, subtask('AGT-003')]);
	const review = reviewOf(session, 'AGT-001');
	expect(session.ask({...answer(review, 'merge'), picked: along('AGT-002')})).toBe(why);
	const foreign = {...answer(review, 'merge-with:AGT-002'), picked: along('AGT-003')};
	expect(session.ask({...foreign, seen: {files}})).toBe('AGT-003 is not a rival of AGT-001.');
	const failed = working(['AGT-001', 'AGT-002']);
	failed.ends('AGT-001', {by: 'exit', code: 1});
	const salvage = answer(failed.item('failure').id, 'salvage');
	expect(failed.ask({...salvage, picked: along('AGT-002')})).toBe(why);
});

test('where one of two that were taken together goes, the other is decided on again', () => {
	const session = completed(two);
	session.decide(reviewOf(session, 'AGT-001'), 'merge-with:AGT-002', 'b.txt', {seen: {files}});
	collide(session, {a: ['AGT-001'], b: ['AGT-002']});
	const conflict = session.item('conflict').id;
	expect(session.refusal(conflict, 'sequential:AGT-001,AGT-002')).toContain('not a choice');
	session.decide(conflict, 'abort:AGT-001');
	expect(taken(session)).toEqual([]);
	expect(session.item('review')).toMatchObject({agent: 'AGT-002'});
});

test('rivals are not compared for collisions, and one that waits for them stands on the one that is taken', () => {
	const last = subtask('AGT-003', {after: ['AGT-001']});
	const session = completed([...two, last].slice(0, 2));
	expect(pairsToCompare(session.state())).toEqual([]);
	const waiting = working([...two, last]);
	waiting.finishes('AGT-001');
	waiting.finishes('AGT-002');
	waiting.work();
	expect(waiting.stateOf('AGT-003')).toBe('PENDING');
	waiting.decide(reviewOf(waiting, 'AGT-002'), 'merge');
	waiting.work();
	expect(waiting.stateOf('AGT-003')).toBe('RUNNING');
});

test('finished rivals are checked unasked, and stand beside each other in the inbox', () => {
	const session = completed(two);
	expect(session.keys()).toEqual(['check-snapshot:AGT-001:1:0', 'check-snapshot:AGT-002:1:0']);
	session.work();
	const [item] = inbox(session.state());
	const shown = item && withSpent(item, () => ({tokens: 120, cost: {USD: 1}}));
	expect(shown).toMatchObject({
		rivals: [
			{agent: 'AGT-001', verify: 'passed', files: 1, outside: 0, wrong: 0, tokens: 120},
			{agent: 'AGT-002', verify: 'passed', cost: {USD: 1}},
		],
	});
});

test('none is taken while what was granted one of the works is still to come into it', () => {
	const session = working(two);
	session.finishes('AGT-001');
	const why = 'The files that you granted AGT-001 are still being restored; try again in a moment.';
	session.tell(scopeLeft('lib/x.ts'));
	const grant = {verb: 'grant', paths: ['lib/x.ts']} as const;
	expect(session.ask({kind: 'steer', agent: 'AGT-001', order: grant})).toBeUndefined();
	expect(session.refusal(reviewOf(session, 'AGT-001'), 'merge-and-stop')).toBe(why);
	session.finishes('AGT-002');
	const part = {...answer(reviewOf(session, 'AGT-002'), 'merge-with:AGT-001'), seen: {files}};
	expect(session.ask({...part, note: 'b.txt'})).toBe(why);
	session.work();
	expect(session.ask({...part, note: 'b.txt'})).toBeUndefined();
});

test('what a rival handed on goes with it, and nobody takes that unasked', () => {
	const session = working(two, {plan: {supervision: 'semi-autonomous'}});
	session.says(
		'AGT-002',
		'[DELEGATE_WORK]\nnew_task_description: x\nindependence: can_proceed_parallel\n[/DELEGATE_WORK]\n',
	);
	session.decide(session.item('delegation').id, 'approve', undefined, {
		subtask: subtask('AGT-003'),
	});
	session.work();
	// It hears of the yes when its turn is over.
	session.ends('AGT-002');
	session.work();
	session.finishes('AGT-001');
	session.finishes('AGT-002');
	const merge = answer(reviewOf(session, 'AGT-001'), 'merge');
	expect(session.ask(merge)).toContain('AGT-002 does the same and is not finished yet');
	session.finishes('AGT-003');
	expect(taken(session)).toEqual([]);
	session.decide(reviewOf(session, 'AGT-003'), 'merge');
	expect(inbox(session.state())[0]?.choices[0]?.label).toBe(
		'Take this one; AGT-002 and AGT-003 are set aside, the work is kept',
	);
	expect(inbox(session.state())[0]?.choices[1]?.label).toBe(
		'Take this one with files or hunks of AGT-002',
	);
	expect(session.ask(merge)).toBeUndefined();
	expect(taken(session)).toEqual(['AGT-001']);
	expect(session.agent('AGT-003').why).toBe('set aside, since AGT-001 was taken');
});

test('rivals that join a session are there together, and the best of their works is taken', () => {
	const session = working(['AGT-001']);
	const [first, second] = [
		subtask('AGT-002', {bestOf: 'AGT-002'}),
		subtask('AGT-003', {bestOf: 'AGT-002'}),
	];
	expect(session.ask({kind: 'add', subtask: first, rivals: [second]})).toBeUndefined();
	session.work();
	session.finishes('AGT-002');
	expect(session.refusal(reviewOf(session, 'AGT-002'), 'merge')).toContain(
		'AGT-003 does the same and is not finished yet.',
	);
});

test('of several rivals the files that are named of each come from it, and all stand or fall together', () => {
	const session = completed([...two, rival('AGT-003')]);
	const review = reviewOf(session, 'AGT-001');
	const note = 'b.txt AGT-003:c.txt';
	const other = {path: 'c.txt', entry: {mode: '100644', oid: '2'}, of: 'AGT-003'};
	const ask = (seen: readonly object[], words = note) =>
		session.ask({
			...answer(review, 'merge-with:AGT-002'),
			...{note: words, seen: {files: seen as typeof files}},
		});
	expect(ask(files)).toBe('AGT-003 changed no file that matches.');
	expect(ask(files, 'b.txt AGT-009:c.txt')).toBe('AGT-009 is not a rival of AGT-001.');
	expect(ask([...files, {...other, path: 'b.txt'}])).toBe(
		'b.txt is taken from more than one agent.',
	);
	expect(ask([...files, other])).toBeUndefined();
	expect(session.agent('AGT-001').verdict).toMatchObject({
		...{beside: ['AGT-002', 'AGT-003'], without: ['b.txt', 'c.txt']},
	});
	const {of: _, ...third} = other;
	expect(session.agent('AGT-003').verdict).toMatchObject({beside: ['AGT-001'], files: [third]});
	collide(session, {a: ['AGT-001'], b: ['AGT-003']});
	session.decide(session.item('conflict').id, 'abort:AGT-003');
	expect(taken(session)).toEqual([]);
});
