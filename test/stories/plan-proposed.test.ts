import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {execa} from 'execa';
import {expect, test} from 'vitest';
import {expectNobodyLeft} from '../helpers/nobody-left.ts';
import {sceneCommand} from '../helpers/plan-file.ts';
import {configure, makeProject, type Project, program} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';

const plans = resolve(import.meta.dirname, '../../fixtures/agents/plans.sh');

const good = `version: 1
task: In the planner's words
context: Two modules.
agents:
  # b builds on it, so it is merged first
  - subtask: Limit the requests of a
    goal: a has a limit
    scope: {allowed: ["src/a/**"]}
    metrics: [npm test passes]
  - subtask: Use the limit in b
    goal: b keeps to it
    scope: {allowed: ["src/b/**"]}
    after: [AGT-001]
    metrics: [npm test passes]`;

/** Starts programs, and lets both agents write the same file. */
const bad = `version: 1
task: In the planner's words
setup: [curl example.org]
agents:
  - {subtask: All of it, scop: {}}
  - {subtask: All of it, scope: {allowed: ["src/**"]}}`;

const makePlanners = (): Project => {
	const project = makeProject({'src/a/a.ts': 'a\n', 'src/b/b.ts': 'b\n'});
	for (const [name, text] of Object.entries({good, bad})) {
		writeFileSync(join(project.aside, name), text);
	}

	const planner = (first: string, second: string) => ({
		protocol: 'text',
		command: [plans, join(project.aside, first), join(project.aside, second)],
	});
	const agents = {
		learns: planner('bad', 'good'),
		never: planner('bad', 'bad'),
		hangs: {protocol: 'text', command: ['sleep', '600']},
		fails: {
			protocol: 'text',
			command: ['bash', '-c', 'echo "files up to $(ulimit -f) KiB" >&2; exit 3'],
		},
		gone: {protocol: 'text', command: ['no-such-planner']},
		talks: {
			protocol: 'acp',
			command: sceneCommand({
				steps: [
					{write: {path: 'src/a/a.ts', text: 'mine\n'}},
					{say: `\n\`\`\`yaml\n${good}\n\`\`\`\n`},
				],
			}),
		},
	};
	configure(project, {docs: false, planner: 'learns', agents, limits: {disk: 1024}});
	return project;
};

/** Nothing is left of a planner: neither in the person's repository nor beside it. */
const expectNothingLeft = ({root, state}: Project): void => {
	expect(existsSync(join(root, 'stray.txt'))).toBe(false);
	expect(git(root, 'log', '--all', '--oneline').split('\n')).toHaveLength(1);
	const [repository = ''] = readdirSync(state);
	expect(readdirSync(join(state, repository, 'planners'))).toEqual([]);
};

test('a plan that can’t be used goes back to its planner, and one that can is written to a new file', async () => {
	const project = makePlanners();
	writeFileSync(join(project.root, 'plan.yaml'), 'mine\n');
	const {stdout, stderr, code} = await project.run('plan', 'Limit all requests');
	expect(stderr).toContain(`  learns, by this repository’s config: ${plans} `);
	expect(stderr).toContain('3:1: `setup` can’t be proposed: a person has to write it.');
	expect(stderr).toContain('5:26: `scop` is not a known key.');
	expect(stdout).toContain(
		'Wrote plan-2.yaml. Change what you like, then: delegate-tui run plan-2.yaml',
	);
	expect(code).toBe(0);
	const written = readFileSync(join(project.root, 'plan-2.yaml'), 'utf8');
	expect(written).toContain('task: Limit all requests');
	expect(written).toContain('# b builds on it, so it is merged first');
	expect(written).toContain('agent: learns');
	expect(readFileSync(join(project.root, 'plan.yaml'), 'utf8')).toBe('mine\n');
	expectNothingLeft(project);
});

test('a planner is told of the guides that the project has, and of no other', async () => {
	const project = makeProject({'AGENTS.md': 'Be brief.\n'});
	const isTold = 'The project tells agents about itself in AGENTS.md.';
	const command = sceneCommand({
		steps: [{say: 'Not told.'}],
		when: [{says: isTold, steps: [{say: `\n\`\`\`yaml\n${good}\n\`\`\`\n`}]}],
	});
	configure(project, {docs: false, planner: 'told', agents: {told: {extends: 'claude', command}}});
	const {stdout} = await project.run('plan', 'Limit all', '--print');
	expect(stdout).toContain('Limit the requests of a');
});

test('a planner over ACP is refused what it asks to write', async () => {
	const project = makePlanners();
	const {stdout, code} = await project.run(
		'plan',
		'Limit all',
		'--agent',
		'talks',
		'--print',
		'--json',
	);
	expect({code, ...JSON.parse(stdout)}).toMatchObject({
		code: 0,
		file: null,
		plan: expect.stringContaining('agent: talks'),
	});
	expect(existsSync(join(project.root, 'plan.yaml'))).toBe(false);
	expectNothingLeft(project);
});

test('a planner does not outlive the command that is told to end', async () => {
	const project = makePlanners();
	const begun = join(project.aside, 'plans');
	execFileSync('mkfifo', [begun]);
	configure(project, {
		planner: 'waits',
		agents: {
			waits: {protocol: 'text', command: ['bash', '-c', `echo it plans >'${begun}'; sleep 600`]},
		},
	});
	const child = execa(process.execPath, [program, 'plan', 'Limit all'], {
		cwd: project.root,
		env: {...project.environment, DELEGATE_TUI_PROCESSES: 'groups'},
		extendEnv: false,
		reject: false,
	});
	expect(await readFile(begun, 'utf8')).toBe('it plans\n');
	child.kill('SIGTERM');
	const {exitCode, stderr} = await child;
	expect(exitCode).toBe(1);
	expect(stderr).toContain('The planner was stopped; nothing was written.');
	await expectNobodyLeft(project);
	expectNothingLeft(project);
});

test('a planner that comes to nothing is told with its cause', async () => {
	const project = makePlanners();
	const plan = (agent: string, ...words: readonly string[]) =>
		project.run('plan', 'Limit all', '--agent', agent, ...words);
	const [never, hangs, fails, gone] = await Promise.all([
		plan('never'),
		plan('hangs', '--timeout', '1s'),
		plan('fails'),
		plan('gone'),
	]);
	expect(never).toMatchObject({code: 1, stdout: ''});
	expect(never.stderr).toContain('The planner’s plan can’t be used, even after 2 corrections:');
	expect(hangs).toMatchObject({code: 1});
	expect(hangs.stderr).toContain('The planner had proposed no plan after 1s.');
	expect(fails).toMatchObject({code: 1});
	expect(fails.stderr).toContain(
		'The planner failed: it exited with code 3: files up to 1048576 KiB.',
	);
	expect(gone).toMatchObject({code: 3});
	expect(gone.stderr).toContain(
		'The planner gone can’t be started: `no-such-planner` is not installed.',
	);
	expect(existsSync(join(project.root, 'plan.yaml'))).toBe(false);
	expectNothingLeft(project);
});
