import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';

test('an agent that ends without a report is reminded once, and has failed when it stays silent', async () => {
	await using session = await startSession({agents: [agent('says-nothing.sh')]});
	const failure = await session.item('failure', 'AGT-001');
	expect(failure.title).toBe('Failed: ended without a completion report');
	expect(failure.choices.find(({choice}) => choice === 'salvage')?.whyNot).toContain(
		'nothing to salvage',
	);
	expect(session.events('turn.started').map(({prompt}) => prompt)).toEqual(['launch', 'reminder']);
});
