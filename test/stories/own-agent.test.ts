import {expect, test} from 'vitest';
import {agent, writePlan} from '../helpers/plan-file.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {startRun} from '../helpers/session.ts';

test('a person’s own agent starts and watches a session, and approves nothing', async () => {
	const project = makeProject();
	const own = projectAt(project.root, {aside: project.aside, env: {CLAUDECODE: '1'}});
	const refusal = {
		code: 1,
		stderr: expect.stringMatching(
			/^A person decides this, and Claude Code asked for it\.\nHint: decide in a terminal/m,
		),
	};
	const plan = {agents: [agent('asks-once.sh', ['src/a.txt'])]};
	const {run} = await startRun(own, plan, '--headless');
	const waiting = async (): Promise<string> => (await own.run('inbox')).stdout;
	await expect.poll(waiting).toContain('p-1');
	expect(await own.run('answer', 'p-1', 'approve')).toMatchObject(refusal);
	expect(await own.run('undo', '--yes')).toMatchObject(refusal);

	expect(await project.run('answer', 'p-1', 'approve')).toMatchObject({code: 0});
	await expect.poll(waiting).toContain('q-1');
	expect(await own.run('answer', 'q-1', 'oauth')).toMatchObject(refusal);
	expect(await own.run('agent', 'AGT-001', 'grant', 'other.txt')).toMatchObject(refusal);
	expect(await own.run('stop')).toMatchObject({code: 0});
	await run.ended;
	expect(await own.run('run', writePlan(own, plan), '--yes')).toMatchObject(refusal);
});
