import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('a question is answered from another terminal, and the agent is started again with the answer', async () => {
	await using session = await startSession({agents: [agent('asks-once.sh', ['src/auth.txt'])]});
	const question = await session.item('question', 'AGT-001');
	expect(question).toMatchObject({title: 'Which auth method?', free: false});
	expect(question.choices.map(({choice}) => choice)).toEqual(['oauth', 'jwt', 'snooze']);
	await session.agent('AGT-001', 'CHECKPOINT');

	await session.answer(question, 'jwt');
	await session.accept('AGT-001');
	await session.approve();
	expect(git(session.project.root, 'show', 'main:src/auth.txt')).toBe('jwt');
	expect(session.events('turn.started').map(({prompt, items}) => [prompt, items])).toEqual([
		['launch', []],
		['resume', [question.id]],
	]);

	// The new process remembers nothing, so it is told its task and its scope again.
	const prompt = readFileSync(session.folder.agent('AGT-001').prompt(2), 'utf8');
	expect(prompt.startsWith('CLARIFICATION RESPONSE\n')).toBe(true);
	expect(prompt).toContain('TASK CONTEXT');
	expect(prompt).toContain('You may write: src/**');
});
