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

test('an agent that can’t go on without delegated work waits for it, and builds on it', async () => {
	await using session = await startSession({agents: [agent('waits-for-helper.sh')]});
	await session.answer(await session.item('delegation', 'AGT-001'), 'approve');
	await session.accept('AGT-002');
	await session.accept('AGT-001');
	await session.approve();
	const house = git(session.project.root, 'show', 'main:src/house.txt');
	expect(house).toBe(
		'base by AGT-002\nDELEGATION APPROVED Task: Lay the base New agent: AGT-002 Result: AGT-002 (complete): The base is laid, src/base.txt Coordination: The base is one line in src/base.txt',
	);
});
