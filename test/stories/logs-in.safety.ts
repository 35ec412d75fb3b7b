import {expect, test} from 'vitest';
import {inbox} from '../../src/rules/inbox.ts';
import {overAcp} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';

test.each([
	['as it opens a conversation', 'new'],
	['at its prompt', 'prompt'],
])(
	'an agent that wants a login %s has a person choose among its ways, and logs in by the chosen one',
	async (_, where) => {
		await using session = await startSession({agents: [overAcp('logs-in.ts', where)]});
		const failure = await session.item('failure', 'AGT-001');
		expect(failure.title).toContain('"Shell", by `logs-in login` in a terminal');
		expect(failure.choices.map(({choice}) => choice)).toEqual(
			expect.arrayContaining(['retry', 'login:account', 'login:key']),
		);
		expect(failure.choices.find(({choice}) => choice === 'login:account')?.label).toBe(
			'Have it log in by "Account" (In a browser), and start it again',
		);

		await session.answer(failure, 'login:key');
		const refused = await session.until('f-2', ({state}) =>
			inbox(state).find(({id}) => id === 'f-2'),
		);
		expect(refused.title).toContain('The key was refused');
		await session.answer(refused, 'login:account');
		await session.agent('AGT-001', 'COMPLETE');
		expect(session.events('login.wanted')).toHaveLength(2);
	},
);
