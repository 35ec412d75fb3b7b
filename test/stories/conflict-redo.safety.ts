import {expect, test} from 'vitest';
import {git} from '../helpers/repository.ts';
import {shared, startCollision} from './collision.ts';

test('the later of two colliding agents works again on top of the earlier one', async () => {
	const {session: started, conflict} = await startCollision();
	await using session = started;
	await session.answer(conflict, 'redo:AGT-001,AGT-002', 'Keep both lines');
	await session.event('turn.started', ({agent, turn}) => agent === 'AGT-002' && turn === 2);
	await session.accept('AGT-002');
	const {ended} = await session.approve();

	expect(ended.status).toBe('COMPLETE');
	expect(git(session.project.root, 'show', `main:${shared}`)).toBe('left\nright');
	expect(session.events('workspace.prepared').at(-1)).toMatchObject({
		agent: 'AGT-002',
		onto: ['AGT-001'],
		conflicts: [shared],
	});
	expect(session.events('conflict.found')).toHaveLength(1);
});

test('the first agent of the plan can be the one that works again, on top of a later one', async () => {
	const {session: started, conflict} = await startCollision();
	await using session = started;
	await session.answer(conflict, 'redo:AGT-002,AGT-001');
	await session.event('turn.started', ({agent, turn}) => agent === 'AGT-001' && turn === 2);
	await session.accept('AGT-001');
	const {ended} = await session.approve();

	expect(ended.status).toBe('COMPLETE');
	expect(git(session.project.root, 'show', `main:${shared}`)).toBe('left');
	expect(git(session.project.root, 'show', 'main:src/left.txt')).toBe('left');
	expect(session.events('conflict.found')).toHaveLength(1);
});
