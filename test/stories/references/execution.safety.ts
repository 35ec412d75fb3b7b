import {expect, test} from 'vitest';
import {agent} from '../../helpers/plan-file.ts';
import {git} from '../../helpers/repository.ts';
import {startSession} from '../../helpers/session.ts';

test('the parent goes on once all parallel tasks are finished, with the last message of each in their order', async () => {
	await using session = await startSession({agents: [agent('references/aggregates.sh')]});
	const delegation = await session.item('delegation', 'AGT-001');
	await session.answer(delegation, 'approve');
	await session.answer(await session.item('delegation', 'AGT-001'), 'approve');
	await session.accept('AGT-003');
	expect(session.state().agents[0]?.state).toBe('CHECKPOINT');
	await session.accept('AGT-002', 'AGT-001');
	await session.approve();
	const told = git(session.project.root, 'show', 'main:src/told.txt');
	expect(told).toMatch(/Part one is sound\.[\s\S]*Part two is sound\./);
	expect(told.match(/^AGT-00[23] COMPLETE/gm)).toEqual(['AGT-002 COMPLETE', 'AGT-003 COMPLETE']);
});
