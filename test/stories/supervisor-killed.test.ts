import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('after its supervisor was killed a session goes on, and nothing that was answered is asked again', async () => {
	await using session = await startSession({
		agents: [
			agent('hangs-once.sh', ['src/work.txt']),
			agent('asks-once.sh', ['src/auth.txt']),
			agent('asks-then-hangs.sh', ['src/name.txt']),
		],
	});
	const {project} = session;
	const open = await session.item('question', 'AGT-002');
	await session.answer(await session.item('question', 'AGT-003'), 'Ada');
	await session.agent('AGT-002', 'CHECKPOINT');
	await session.event('signal.said', said => said.agent === 'AGT-001');
	await session.event('signal.said', said => said.agent === 'AGT-003' && said.turn === 2);
	await session.killSupervisor();

	// Only one of the two starts the next supervisor, and both have to wait until it has looked around.
	const looks = await Promise.all([1, 2].map(() => project.run('status', '--json')));
	for (const {code, stdout} of looks) {
		expect(code).toBe(0);
		const status = JSON.parse(stdout);
		expect(status.session.id).toBe(session.id);
		expect(status.notices).toMatchObject([{text: expect.stringContaining('AGT-001 resumes from')}]);
	}

	await session.until('a second supervisor', () => session.events('supervisor.started')[1]);
	await session.answer(open, 'oauth');
	await session.accept('AGT-001', 'AGT-002', 'AGT-003');
	const ended = await session.approve();
	expect([ended.code, ended.ended.status]).toEqual([0, 'COMPLETE']);
	const content = (path: string) => git(project.root, 'show', `main:${path}`);
	expect(content('src/work.txt')).toBe('whole');
	expect(content('src/auth.txt')).toBe('oauth');
	expect(content('src/name.txt')).toBe('Ada, again');

	const asked = session
		.events('signal.said')
		.filter(({signal}) => signal.kind === 'clarification_needed');
	expect(asked.map(({agent}) => agent).toSorted()).toEqual(['AGT-002', 'AGT-003']);
	const lost = session.events('turn.ended').filter(({end}) => end.by === 'lost');
	expect(lost.map(({agent}) => agent)).toEqual(['AGT-001', 'AGT-003']);
	expect(session.events('agent.moved').filter(({to}) => to === 'FAILED')).toEqual([]);
});
