import {expect, test} from 'vitest';
import {nameProgram} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import type {Session} from '../helpers/session.ts';
import {shared, startCollision} from './collision.ts';

/** Waits until the arbiter that was asked has come to the end of a turn, and returns the conflict as it is shown then. */
const proposal = async (session: Session, turns: number) => {
	await session.until('a proposal', () => {
		const moves = session.events('agent.moved').filter(({agent: id}) => id === 'AGT-003');
		return moves.filter(({to}) => to === 'COMPLETE')[turns - 1];
	});
	return session.item('conflict');
};

test('a neutral agent that settles nothing is sent back, and what it proposes then is taken by a person and checked as their own', async () => {
	const {session, conflict} = await startCollision();
	await using _ = session;
	const {project} = session;
	nameProgram(project, 'judge', 'arbitrates.sh', [shared, 'left and right']);
	const unknown = await project.run('answer', conflict.id, 'arbiter:nobody');
	expect(unknown.stderr).toContain('No profile and no agent of this session is called nobody.');
	await session.answer(conflict, 'arbiter:judge', 'Keep both words');
	const first = await proposal(session, 1);
	expect(first).toMatchObject({
		id: conflict.id,
		title: expect.stringContaining('AGT-003 proposes how to settle it'),
		arbiter: {
			agent: 'AGT-003',
			is: 'done',
			said: 'I could not decide',
			outside: ['src/elsewhere.txt'],
		},
	});
	const refused = await project.run('answer', conflict.id, 'take:AGT-003');
	expect(refused.stderr).toContain(`Conflict markers remain in ${shared}.`);

	await project.run('answer', conflict.id, 'again:AGT-003', '--note', 'No marker may remain');
	await proposal(session, 2);
	const preview = await project.run('answer', conflict.id, 'take:AGT-003', '--preview');
	expect(preview.stdout).toContain('+left and right');
	expect(preview.stdout).toContain('Nothing else is left to decide');
	await session.answer(conflict, 'take:AGT-003');
	const approval = await session.item('approval');
	expect(approval.title).not.toContain('AGT-003');
	expect(session.state().agents[2]).toMatchObject({
		state: 'ABORTED',
		why: 'its proposal was taken',
		subtask: {scope: {allowed: [shared]}, goal: expect.stringContaining('Keep both words')},
	});
	await session.approve();
	expect(git(project.root, 'show', `main:${shared}`)).toBe('left and right');
	expect(git(project.root, 'ls-tree', '--name-only', 'main', 'src/')).not.toContain('elsewhere');
	const journal = JSON.stringify(session.events('user.decided'));
	expect(journal).toContain('arbiter:judge');
	expect(journal).not.toContain('secret');
});
