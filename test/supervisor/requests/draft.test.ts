import {expect, test} from 'vitest';
import {draftFor} from '../../../src/supervisor/requests/new-subtask.ts';
import {working} from '../../helpers/given.ts';
import {subtask} from '../../helpers/plan.ts';

test('who takes over from one that failed waits for whom that one waited, but for those that were given up', () => {
	const session = working([
		'AGT-001',
		'AGT-002',
		subtask('AGT-003', {after: ['AGT-001', 'AGT-002']}),
	]);
	session.ends('AGT-001', {by: 'exit', code: 1});
	session.decide(session.item('failure').id, 'abandon');
	session.finishes('AGT-002');
	session.decide('r-1', 'merge');
	session.work();
	session.ends('AGT-003', {by: 'exit', code: 1});
	const failure = session.item('failure');
	expect(failure.agent).toBe('AGT-003');
	expect(draftFor(session.state(), failure, 'redistribute', undefined)).toMatchObject({
		id: 'AGT-004',
		after: ['AGT-002'],
	});
});

test.each(['delegate', 'delegate-wait'] as const)(
	'who is handed the blocked part by %s does that, and is told by its goal what a person notes',
	verb => {
		const session = working(['AGT-001']);
		session.says(
			'AGT-001',
			'[STOP_WORK]\ndetails: no disk\nblocked_work: Test it on a disk\n[/STOP_WORK]\n',
		);
		expect(
			draftFor(session.state(), session.item('blocker'), verb, 'Mind\nthe price'),
		).toMatchObject({
			subtask: 'Test it on a disk',
			goal: 'the person says: Mind the price',
		});
	},
);

test('who takes over does the same subtask, and is told by its goal what a person notes', () => {
	const session = working([
		subtask('AGT-001', {subtask: 'Fix the build', goal: 'it is green'}),
		subtask('AGT-002', {subtask: 'Fix the docs'}),
	]);
	const told = ['AGT-001', 'AGT-002'].map(id => {
		session.ends(id, {by: 'exit', code: 1});
		const failure = session.item('failure');
		const draft = draftFor(session.state(), failure, 'redistribute', 'Mind\nthe cache');
		session.decide(failure.id, 'abandon');
		return [draft?.subtask, draft?.goal];
	});
	expect(told).toEqual([
		['Fix the build', 'it is green; the person says: Mind the cache'],
		['Fix the docs', 'the person says: Mind the cache'],
	]);
});
