import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {agent} from '../../helpers/plan-file.ts';
import {makeProject, type Project} from '../../helpers/project.ts';
import {keys, openProgram} from '../../helpers/terminal.ts';

const asks = agent('asks-once.sh', ['src/auth.txt']);

/** The agent that plans take without being told asks which method to take. */
const config = stringify({docs: false, agents: {claude: asks.agent}});

const makeAsking = (): Project =>
	makeProject({'.delegate-tui.yaml': config, 'src/a.txt': 'a\n', 'src/b.txt': 'b\n'});

const controlR = '\x12';

test('a plan is composed by keys, saved, started, and seen on the board, while another task is refused', async () => {
	const project = makeAsking();
	using terminal = openProgram(project, ['Let people sign in']);
	await terminal.until(/▸ Subtask/);
	terminal.type('Write the sign-in');
	await terminal.until('Write the sign-in');
	terminal.type('\t');
	await terminal.until(/▸ Goal/);
	terminal.paste('People sign in\nwith a password');
	await terminal.until('with a password');
	terminal.type('\t');
	await terminal.until(/▸ Measured by/);
	terminal.type('people sign in');
	await terminal.until('people sign in');
	terminal.type('\t');
	await terminal.until(/▸ May write/);
	terminal.type('src/**');
	await terminal.until('2 files');
	terminal.type(keys.escape);
	await terminal.until('^r run');
	terminal.type('s');
	await terminal.until('Save the plan as');
	terminal.type(keys.enter);
	await terminal.until('Saved as plan.yaml.');
	const file = readFileSync(join(project.root, 'plan.yaml'), 'utf8');
	expect(file).toContain('task: Let people sign in');
	expect(existsSync(project.state)).toBe(false);
	terminal.type(controlR);
	await terminal.until('Nothing stands in "Context"');
	terminal.type(controlR);
	await terminal.until('Nothing stands in "Check"');
	terminal.type(controlR);
	await terminal.until('Start 1 agent on this plan');
	terminal.type('y');
	await terminal.until('⏎ q-1 AGT-001 Which auth method?');
	expect(terminal.rows()[0]).toContain('Let people sign in');
	terminal.type('q');
	expect(await terminal.exited).toBe(0);
	expect(terminal.isAlternate()).toBe(false);
	expect(terminal.text()).toMatch(/Session DEL-\w+ goes on without the screen\./);
	using refused = openProgram(project, ['One more task']);
	expect(await refused.exited).toBe(1);
	expect(refused.text().replaceAll('\n', ' ')).toContain('is active in this repository');
	expect((await project.run('stop')).code).toBe(0);
	using again = openProgram(project);
	await again.until(/The last session, DEL-\w+, has ended: stopped by a person\./);
	again.type(keys.escape);
	await again.until('o open');
	again.type('o');
	await again.until('Open the plan file');
	again.type(keys.enter);
	await again.until('Opened plan.yaml.');
	expect(again.text()).toContain('Write the sign-in');
	again.type('q');
	expect(await again.exited).toBe(0);
	expect(again.isAlternate()).toBe(false);
	expect(again.isCursorShown()).toBe(true);
});

test('without a terminal a task says what to do instead', async () => {
	const {code, stderr} = await makeAsking().run('Let people sign in');
	expect(code).toBe(2);
	expect(stderr).toMatch(/this is no terminal\.\nHint: .*run PLAN\.yaml --headless/);
});

test('a plan that waits for its approval is changed in the form, and then waits with its new warnings', async () => {
	const project = makeAsking();
	const secret = {...asks.agent, env: {TOKEN: 'kept'}};
	const plan = {version: 1, task: 'Sign in', agents: [{subtask: 'Write it', agent: secret}]};
	writeFileSync(join(project.root, 'plan.yaml'), stringify(plan));
	using terminal = openProgram(project, ['run', 'plan.yaml']);
	await terminal.until(/p-1/);
	terminal.type(keys.enter);
	await terminal.until(/e +edit/);
	terminal.type('e');
	await terminal.until('Change the plan');
	terminal.type(keys.escape);
	await terminal.until('^r hand in');
	for (const field of ['Context', 'Check', 'Goal', 'Measured by', 'May write']) {
		terminal.type(controlR);
		await terminal.until(`Nothing stands in "${field}"`);
	}

	terminal.type(keys.enter);
	await terminal.until('Esc done');
	terminal.type('src/**');
	await terminal.until('2 files');
	terminal.type(keys.escape);
	await terminal.until('^r hand in');
	terminal.type(controlR);
	await terminal.until('It waits for your approval then');
	terminal.type('y');
	await terminal.until('The plan is changed.');
	await terminal.until('p-2');
	terminal.type('q');
	expect(await terminal.exited).toBe(0);
	const {stdout} = await project.run('log', '--json');
	expect(stdout).toContain('"allowed":["src/**"]');
	expect(stdout).not.toContain('kept');
	expect((await project.run('stop')).code).toBe(0);
});
