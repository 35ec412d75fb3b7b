import {expect, test} from 'vitest';
import {git} from '../helpers/repository.ts';
import {shared, startCollision} from './collision.ts';

test('one of two colliding agents is left out, and its work is kept', async () => {
	const {session: started, conflict} = await startCollision();
	await using session = started;
	await session.answer(conflict, 'abort:AGT-001');
	await session.approve();

	const {root} = session.project;
	expect(git(root, 'show', `main:${shared}`)).toBe('right');
	expect(git(root, 'ls-tree', '-r', '--name-only', 'main')).not.toContain('src/left.txt');
	expect(session.state().agents.map(({state}) => state)).toEqual(['ABORTED', 'MERGED']);
	const kept = session.events('snapshot.taken').findLast(({agent}) => agent === 'AGT-001');
	const store = `${session.folder.path}/../store.git`;
	expect(git(store, 'show', `${kept?.commit}:src/left.txt`)).toBe('left');
});
