import {expect, test} from 'vitest';
import {git} from '../helpers/repository.ts';
import {shared, startCollision} from './collision.ts';

test('of two colliding agents one side is chosen for the file, and both are merged', async () => {
	const {session: started, conflict} = await startCollision();
	await using session = started;
	expect(conflict.title).toContain(`AGT-001 and AGT-002 collide in ${shared}`);
	// Whom else one could ask depends on what is installed here.
	const choices = conflict.choices.map(({choice}) => choice);
	expect(choices.filter(choice => !choice.startsWith('arbiter:'))).toEqual([
		'choose-one:AGT-001',
		'choose-one:AGT-002',
		'manual',
		'sequential:AGT-001,AGT-002',
		'sequential:AGT-002,AGT-001',
		'redo:AGT-001,AGT-002',
		'redo:AGT-002,AGT-001',
		'abort:AGT-001',
		'abort:AGT-002',
	]);

	await session.answer(conflict, 'choose-one:AGT-002');
	await session.approve();
	const {root} = session.project;
	expect(git(root, 'show', `main:${shared}`)).toBe('right');
	expect(git(root, 'show', 'main:src/left.txt')).toBe('left');
	expect(session.state().agents.map(({state}) => state)).toEqual(['MERGED', 'MERGED']);
});
