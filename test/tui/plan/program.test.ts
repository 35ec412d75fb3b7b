import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {agent} from '../../helpers/plan-file.ts';
import {makeProject, type Project, program} from '../../helpers/project.ts';
import {keys, openProgram, openTerminal} from '../../helpers/terminal.ts';

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
	await terminal.typeUntil('Write the sign-in', 'Write the sign-in');
	await terminal.typeUntil('\t', /▸ Goal/);
	terminal.paste('People sign in\nwith a password');
	await terminal.until('with a password');
	await terminal.typeUntil('\t', /▸ Measured by/);
	await terminal.typeUntil('people sign in', 'people sign in');
	await terminal.typeUntil('\t', /▸ May write/);
	await terminal.typeUntil('src/**', '2 files');
	await terminal.typeUntil(keys.escape, 'claude, by this repository’s config:');
	await terminal.until('^r run');
	await terminal.typeUntil('s', 'Save the plan as');
	await terminal.typeUntil(keys.enter, 'Saved as plan.yaml.');
	const file = readFileSync(join(project.root, 'plan.yaml'), 'utf8');
	expect(file).toContain('task: Let people sign in');
	expect(
		readdirSync(project.state, {recursive: true}).filter(name => `${name}`.includes('DEL-')),
	).toEqual([]);
	await terminal.typeUntil(controlR, '"Context" is empty');
	await terminal.typeUntil(controlR, '"Check" is empty');
	await terminal.typeUntil(controlR, 'Start 1 agent on this plan');
	await terminal.typeUntil('y', '⏎ q-1 AGT-001 Which auth method?');
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
	await again.until(/The last session, DEL-\w+, has ended: a person ended it\./);
	await again.typeUntil(keys.escape, 'o open');
	await again.typeUntil('o', 'Open the plan file');
	await again.typeUntil(keys.enter, 'Opened plan.yaml.');
	expect(again.text()).toContain('Write the sign-in');
	again.type('q');
	expect(await again.exited).toBe(0);
	expect(again.isAlternate()).toBe(false);
	expect(again.isCursorShown()).toBe(true);
});

test('no key is lost while the screen is drawn again', async () => {
	using terminal = openProgram(makeAsking(), ['Let people sign in']);
	await terminal.until(/▸ Subtask/);
	await terminal.typeUntil('AB', 'AB');
	const before = terminal.written().length;
	await terminal.typeUntil('\x0c', () => terminal.written().length > before);
	await terminal.typeUntil('12345678', '12345678');
	expect(terminal.text()).toContain('AB12345678');
	expect(terminal.written()).not.toContain('\x1b[?1049l');
});

test('without a terminal a task says what to do instead', async () => {
	const {code, stderr} = await makeAsking().run('Let people sign in');
	expect(code).toBe(2);
	expect(stderr).toMatch(/this is not a terminal\.\nHint: .*run PLAN\.yaml --headless/);
});

test('a plan that waits for its approval is changed in the form, and then waits with its new warnings', async () => {
	const project = makeAsking();
	const secret = {...asks.agent, env: {TOKEN: 'kept'}};
	const plan = {version: 1, task: 'Sign in', agents: [{subtask: 'Write it', agent: secret}]};
	writeFileSync(join(project.root, 'plan.yaml'), stringify(plan));
	using terminal = openProgram(project, ['run', 'plan.yaml']);
	await terminal.until(/p-1/);
	await terminal.typeUntil(keys.enter, /e +edit/);
	await terminal.typeUntil('e', 'Change the plan');
	await terminal.typeUntil(keys.escape, '^r hand in');
	for (const field of ['Context', 'Check', 'Goal', 'Measured by', 'May write']) {
		await terminal.typeUntil(controlR, `"${field}" is empty`);
	}

	await terminal.typeUntil(keys.enter, 'Esc done');
	await terminal.typeUntil('src/**', '2 files');
	await terminal.typeUntil(keys.escape, '^r hand in');
	await terminal.typeUntil(controlR, 'It waits for your approval then');
	await terminal.typeUntil('y', 'The plan is changed.');
	await terminal.until('p-2');
	terminal.type('q');
	expect(await terminal.exited).toBe(0);
	const {stdout} = await project.run('log', '--json');
	expect(stdout).toContain('"allowed":["src/**"]');
	expect(stdout).not.toContain('kept');
	expect((await project.run('stop')).code).toBe(0);
});

test('an issue’s text begins a plan: its first line is the task, all of it the context', async () => {
	const project = makeProject();
	const issue = join(project.aside, 'issue.md');
	writeFileSync(issue, '# Round half up\n\nTotals are off by a cent.\n');
	using terminal = openProgram(project, ['--from', issue]);
	await terminal.until('Totals are off by a cent.');
	expect(terminal.text()).toMatch(/Task +Round half up/);
	using piped = openTerminal({
		program: '/bin/sh',
		words: ['-c', '"$1" "$2" --from - < "$3"', 'sh', process.execPath, program, issue],
		directory: project.root,
		environment: project.environment,
		columns: 80,
		rows: 24,
	});
	await piped.until('Totals are off by a cent.');
	expect(piped.text()).toMatch(/Task +Round half up/);
	await piped.typeUntil(keys.controlC, 'q leave');
	piped.type('q');
	expect(await piped.exits()).toBe(0);
	expect(await project.run('--from', '-')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('gh issue view 12 | delegate-tui --from -'),
	});
	const gone = openProgram(project, ['--from', 'gone.md']);
	expect(await gone.exits()).toBe(2);
	expect(gone.text()).toContain('gone.md can’t be read.');
});
