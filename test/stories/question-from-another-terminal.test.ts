import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {openProgram} from '../helpers/terminal.ts';

test('a question is answered from another terminal, and the agent is started again with the answer', async () => {
	await using session = await startSession({agents: [agent('asks-once.sh', ['src/auth.txt'])]});
	const question = await session.item('question', 'AGT-001');
	expect(question).toMatchObject({title: 'Which auth method?', free: false});
	expect(question.choices.map(({choice}) => choice)).toEqual(['oauth', 'jwt', 'snooze']);
	await session.agent('AGT-001', 'CHECKPOINT');

	// What the notification names is typed as it stands there.
	const {project} = session;
	using terminal = openProgram(project, ['answer', question.id]);
	await terminal.until('Your choice:');
	expect(terminal.text()).toContain('Which auth method?');
	await terminal.typeUntil(
		'kerberos\r',
		'"kerberos" is not a choice for q-1. (take one of: oauth, jwt, snooze)',
	);
	terminal.type('jwt\r');
	expect(await terminal.exits()).toBe(0);

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
