import {expect, test} from 'vitest';
import {overAcp} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';

test('a command that the agent announced is sent alone, before the answer that it waits for, and told in the log', async () => {
	await using session = await startSession({agents: [overAcp('offers-commands.ts')]});
	const question = await session.item('question', 'AGT-001');
	await session.event('turn.ended');
	const {project} = session;
	const unknown = await project.run('agent', 'AGT-001', 'message', '/nothing of the kind');
	expect(unknown.stdout).toBe('AGT-001 is told at its next turn.');
	const sent = await project.run('agent', 'AGT-001', 'message', '/compact the tests');
	expect(sent.stdout).toBe(
		'This is a command of AGT-001’s own; it may change what it asks before it acts.\nAGT-001 is sent the command at its next turn.',
	);
	await session.answer(question, '80');
	await session.agent('AGT-001', 'COMPLETE');
	const [, {signal}] = session.events('signal.said') as [unknown, {signal: object}];
	expect(signal).toMatchObject({
		value: 'EXECUTION CONTEXT | /compact the tests | MESSAGE',
	});
	// The agent announced other commands thirty times meanwhile.
	expect(session.events('commands.announced')).toHaveLength(20);
	const log = await project.run('log');
	expect(log.stdout).toContain('had it run its own command: /compact the tests');
	expect(log.stdout).toContain('wrote to it: /nothing of the kind');
});
