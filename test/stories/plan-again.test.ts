import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {startSession} from '../helpers/session.ts';
import {keys, openProgram} from '../helpers/terminal.ts';

const plan = {agents: [agent('edits.sh', ['src/one.txt', 'one'])]};

test('the plan of the last session is started again by its name alone, and on the screen once it was looked at', async () => {
	const project = makeProject();
	const early = await project.run('run', '--again', '--headless', '--yes');
	expect(early).toMatchObject({code: 1});
	expect(early.stderr).toContain('No session was started in this repository yet.');
	expect(await project.run('run', 'plan.yaml', '--again')).toMatchObject({code: 2});
	expect(await project.run('run')).toMatchObject({code: 2});

	const first = await startSession(plan, project);
	await first.accept('AGT-001');
	await first.approve();
	await first.gone();

	const again = project.start('run', '--again', '--headless', '--yes', '--json');
	const started = JSON.parse((await again.firstLine) ?? '');
	expect(started).toMatchObject({kind: 'session.started', plan: {task: 'Play a story'}});
	expect(started.session).not.toBe(first.id);
	expect(await project.run('stop')).toMatchObject({code: 0});
	await again.ended;

	using screen = openProgram(project, ['run', '--again']);
	await screen.until('src/**');
	await screen.typeUntil(' once more', 'Play a story once more');
	await screen.typeUntil(keys.escape, '^r run');
	// What the plan lacks is asked for once.
	for (const lacking of ['Context', 'Check', 'Goal', 'Measured by']) {
		await screen.typeUntil('\x12', `"${lacking}" is empty`);
	}

	await screen.typeUntil('\x12', 'This approves it');
	await screen.typeUntil('y', 'REVIEW');
	expect((await project.run('status')).stdout).toContain('Play a story once more');
	expect(await project.run('stop')).toMatchObject({code: 0});
});
