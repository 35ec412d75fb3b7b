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
