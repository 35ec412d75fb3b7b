import {expect, test} from 'vitest';
import {planOf} from '../../../src/cli/plan/read-added.ts';
import {working} from '../../helpers/given.ts';
import {subtask} from '../../helpers/plan.ts';

test('whoever joins a session is held against those that are still in it', () => {
	const session = working([
		'AGT-001',
		'AGT-002',
		subtask('AGT-003', {after: ['AGT-001', 'AGT-002']}),
	]);
	session.ends('AGT-001', {by: 'exit', code: 1});
	session.decide(session.item('failure').id, 'abandon');
	expect(planOf(session.state()).agents.map(({id, after}) => [id, after])).toEqual([
		['AGT-002', []],
		['AGT-003', ['AGT-002']],
	]);
});

test('rivals that were set aside stay beside the one that was taken, since one part of the plan tells of them all', () => {
	const rivals = ['AGT-001', 'AGT-002'].map(id => subtask(id, {bestOf: 'AGT-001'}));
	const session = working(rivals);
	session.ends('AGT-001', {by: 'exit', code: 1});
	session.decide(session.item('failure').id, 'abandon');
	expect(planOf(session.state()).agents.map(({id}) => id)).toEqual(['AGT-001', 'AGT-002']);
});
