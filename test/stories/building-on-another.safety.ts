import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';

/** Two agents of whom the second one starts on the finished work of the first one. */
const startChain = async (): Promise<Session> => {
	const session = await startSession(
		{
			agents: [
				agent('takes-feedback.sh', ['src/first.txt']),
				agent('edits.sh', ['src/second.txt', 'second'], {after: ['AGT-001'], resume: 'completed'}),
			],
		},
		{'src/first.txt': 'base\n'},
	);
	await session.item('review', 'AGT-002');
	expect(session.events('workspace.prepared')[1]?.onto).toEqual(['AGT-001']);
	return session;
};

test('when the work below an agent changes after it was built on, the result has the new one', async () => {
	await using session = await startChain();
	await session.answer(await session.item('review', 'AGT-001'), 'feedback', 'second try');
	await session.event('turn.started', ({agent, turn}) => agent === 'AGT-001' && turn === 2);
	await session.accept('AGT-001', 'AGT-002');
	await session.approve();
	const {root} = session.project;
	expect(git(root, 'show', 'main:src/first.txt')).toMatch(/second try$/);
	expect(git(root, 'show', 'main:src/second.txt')).toBe('second');
});

test('the work of an agent that is left out is not merged by way of one that was built on it', async () => {
	await using session = await startChain();
	await session.answer(await session.item('review', 'AGT-001'), 'abort');
	await session.accept('AGT-002');
	await session.approve();
	const {root} = session.project;
	expect(git(root, 'show', '--format=', '--name-only', 'main')).toBe('src/second.txt');
	expect(git(root, 'show', 'main:src/first.txt')).toBe('base');
});
