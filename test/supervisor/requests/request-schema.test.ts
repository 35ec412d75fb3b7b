import {expect, test} from 'vitest';
import type {Subtask} from '../../../src/events/plan.ts';
import {requestSchema} from '../../../src/supervisor/requests/request.ts';
import {planOf, subtask} from '../../helpers/plan.ts';

const edit = {do: 'decide', item: 'p-1', choice: 'edit', by: 'user'} as const;

const whole: Required<Subtask> = {
	...subtask('AGT-001', {after: ['AGT-002']}),
	goal: 'a goal',
	agent: {protocol: 'acp', command: ['claude'], make: 'claude', model: 'small', trust: 'project'},
	profile: 'claude',
	behavior: 'docs/how.md',
	tokens: 1000,
	output: 'out.md',
};

test('a plan comes through the socket as it was sent, with all that it may hold', () => {
	const plan = planOf([whole, subtask('AGT-002')], {context: 'a context', target: 'main'});
	expect(requestSchema.parse({...edit, plan, subtask: whole})).toEqual({
		...edit,
		plan,
		subtask: whole,
	});
});

test.each([
	['lacks its agents', {agents: undefined}],
	['has an agent that no program is named for', {agents: [{...whole, agent: {protocol: 'acp'}}]}],
	['has a field that no plan has', {tasks: []}],
])('a plan that %s is refused at the socket', (_, wrong) => {
	const plan = {...planOf([whole]), ...wrong};
	expect(requestSchema.safeParse({...edit, plan}).success).toBe(false);
});
