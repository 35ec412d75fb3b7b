import {expect, test} from 'vitest';
import {usageOf} from '../../src/lib/process/process-table.ts';
import {configure, makeProject} from '../helpers/project.ts';
import {startSession} from '../helpers/session.ts';

test('an agent with more processes than it may have is paused without them, and goes on when a person says so', async () => {
	const project = makeProject();
	configure(project, {docs: false, limits: {processes: 12}});
	const script = 'for i in $(seq 20); do sleep 300 & done; echo working; wait';
	await using session = await startSession(
		{
			agents: [
				{
					subtask: 'Start very many processes',
					scope: {allowed: ['src/**']},
					agent: {protocol: 'text', command: ['/bin/sh', '-c', script]},
				},
			],
		},
		project,
	);
	const {pid} = await session.event('turn.started');
	const limit = await session.item('limit', 'AGT-001');
	expect(limit).toMatchObject({of: 'processes', allowed: 12});
	expect(limit).toHaveProperty('used', session.events('load.counted').at(0)?.processes);
	await session.agent('AGT-001', 'CHECKPOINT');
	expect(usageOf([pid]).size).toBe(0);
	expect(session.events('turn.ended')).toMatchObject([{end: {by: 'stopped'}}]);

	await session.answer(limit, 'extend');
	await session.event('turn.started', ({turn}) => turn === 2);
});
