import {expect, test} from 'vitest';
import {handedOver} from '../../../src/rules/plan/joining.ts';
import {planOf, subtask} from '../../helpers/plan.ts';

test('who is dropped for another agent is out of the plan, and who waited for it waits for the other', () => {
	const plan = planOf([
		subtask('AGT-001'),
		subtask('AGT-002', {after: ['AGT-001']}),
		subtask('AGT-003', {after: ['AGT-002']}),
	]);
	expect(handedOver(plan, 'AGT-001', 'AGT-004').agents).toEqual([
		subtask('AGT-002', {after: ['AGT-004']}),
		subtask('AGT-003', {after: ['AGT-002']}),
	]);
});
