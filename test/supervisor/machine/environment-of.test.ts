import {expect, test} from 'vitest';
import {environmentOf} from '../../../src/supervisor/machine/environments.ts';
import {working} from '../../helpers/given.ts';
import {subtask} from '../../helpers/plan.ts';

const claude = {protocol: 'acp', command: ['claude-agent-acp'], vendor: 'claude'} as const;
const environments = {'AGT-001': {}, 'AGT-002': {KEY: 'two'}};

const session = working(['AGT-001', subtask('AGT-002', {agent: claude})]);
session.ask({kind: 'add', subtask: subtask('AGT-003', {agent: claude})});
session.ask({
	kind: 'add',
	subtask: subtask('AGT-004', {agent: {protocol: 'text', command: ['other']}}),
});

test('one that was asked for by another is started in that one’s environment, before any other’s', () => {
	const given = working([subtask('AGT-001', {agent: claude}), subtask('AGT-002', {agent: claude})]);
	given.says('AGT-002', '[DELEGATE_WORK]\nnew_task_description: Set up\n[/DELEGATE_WORK]');
	const {id} = given.item('delegation');
	given.decide(id, 'approve', undefined, {subtask: subtask('AGT-003', {agent: claude})});
	const known = {'AGT-001': {KEY: 'one'}, 'AGT-002': {KEY: 'two'}};
	expect(environmentOf(known, given.state(), 'AGT-003')).toEqual({KEY: 'two'});
	expect(environmentOf({'AGT-001': {KEY: 'one'}}, given.state(), 'AGT-003')).toEqual({KEY: 'one'});
});

test.each([
	['AGT-001', {}],
	['AGT-002', {KEY: 'two'}],
	['AGT-003', {KEY: 'two'}],
	['AGT-004', {}],
	['AGT-009', {}],
])(
	'%s is started in the environment that it, or the one that it is like, was given',
	(id, expected) => {
		expect(environmentOf(environments, session.state(), id)).toEqual(expected);
	},
);
