import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('an agent that takes replies on its input goes on with the answer in the same turn', async () => {
	await using session = await startSession({
		agents: [agent('asks-live.sh', ['src/port.txt'], {reply: 'stdin'})],
	});
	const question = await session.item('question', 'AGT-001');
	expect(question.free).toBe(true);
	await session.answer(question, '8080');
	await session.accept('AGT-001');
	await session.approve();

	const turns = session.events('turn.started');
	expect(turns).toHaveLength(1);
	expect(git(session.project.root, 'show', 'main:src/port.txt')).toBe('8080');
});

test('an agent that ends without a word after an answer on its input gets it with its next prompt, too', async () => {
	await using session = await startSession({
		agents: [agent('asks-then-ends.sh', ['src/port.txt'], {reply: 'stdin'})],
	});
	await session.answer(await session.item('question', 'AGT-001'), '8080');
	await session.event('reply.delivered');
	writeFileSync(join(session.folder.agent('AGT-001').tree, 'go-on'), '');
	await session.accept('AGT-001');
	await session.approve();

	expect(session.events('turn.started').map(({prompt}) => prompt)).toEqual(['launch', 'resume']);
	expect(git(session.project.root, 'show', 'main:src/port.txt')).toBe('8080');
});
