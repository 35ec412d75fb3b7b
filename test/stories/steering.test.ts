import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('one agent is stopped in the middle of its turn, and the others go on', async () => {
	await using session = await startSession({
		agents: [agent('hangs-once.sh', ['src/work.txt']), agent('asks-once.sh', ['src/auth.txt'])],
	});
	const {project} = session;
	await session.event('signal.said', said => said.agent === 'AGT-001');

	const {code, stdout} = await project.run('agent', 'AGT-001', 'stop');
	expect(code).toBe(0);
	expect(stdout).toMatch(/^AGT-001 is out of the session. Its work is kept in snapshot \d+\.$/);
	await session.agent('AGT-001', 'ABORTED');
	const kept = session.events('snapshot.taken').findLast(taken => taken.agent === 'AGT-001');
	const store = `${session.folder.path}/../store.git`;
	expect(git(store, 'show', `${kept?.commit}:src/work.txt`)).toBe('half');

	const again = await project.run('agent', 'AGT-001', 'stop', '--json');
	expect([again.code, JSON.parse(again.stdout).error.message]).toEqual([
		1,
		'AGT-001 is out of the session: stopped by a person.',
	]);
	await session.answer(await session.item('question', 'AGT-002'), 'jwt');
	await session.accept('AGT-002');
	await session.approve();
});
