import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('work that an agent wants to delegate is approved, and a new agent does it', async () => {
	await using session = await startSession({agents: [agent('delegates.sh')]});
	const delegation = await session.item('delegation', 'AGT-001');
	expect(delegation.title).toBe('Wants to delegate: Write the second part');
	await session.answer(delegation, 'approve');
	await session.accept('AGT-001', 'AGT-002');
	await session.approve();
	const {root} = session.project;
	expect(git(root, 'show', 'main:src/first.txt')).toBe('first by AGT-001');
	expect(git(root, 'show', 'main:src/second.txt')).toBe('second by AGT-002');
	expect(session.state().agents[1]?.requestedBy).toBe('AGT-001');
});
