import {expect, test} from 'vitest';
import {environmentOf} from '../../src/supervisor/machine/environment-of.ts';
import {working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';

const claude = {protocol: 'acp', command: ['claude-agent-acp'], make: 'claude'} as const;
const environments = {'AGT-001': {}, 'AGT-002': {KEY: 'two'}};

const session = working(['AGT-001', subtask('AGT-002', {agent: claude})]);
session.ask({kind: 'add', subtask: subtask('AGT-003', {agent: claude})});
session.ask({
	kind: 'add',
	subtask: subtask('AGT-004', {agent: {protocol: 'text', command: ['other']}}),
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
