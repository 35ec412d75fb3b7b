import {expect, test} from 'vitest';
import {agent, writePlan} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';

test('a second session in the same repository is refused, and the first one goes on', async () => {
	const plan = {agents: [agent('asks-once.sh', ['src/auth.txt'])]};
	await using session = await startSession(plan);
	const {project} = session;
	const question = await session.item('question');
	const second = await project.run(
		'run',
		writePlan(project, plan),
		'--headless',
		'--yes',
		'--json',
	);
	expect(second.code).toBe(1);
	expect(JSON.parse(second.stdout)).toEqual({
		error: {
			kind: 'refused',
			message: `Session ${session.id} is active in this repository; one at a time.`,
			hint: expect.stringContaining('delegate-tui stop'),
		},
	});

	await session.answer(question, 'oauth');
	await session.accept('AGT-001');
	expect((await session.approve()).code).toBe(0);
});
