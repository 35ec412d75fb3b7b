import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {expectNobodyLeft} from '../helpers/nobody-left.ts';
import {agent, writePlan} from '../helpers/plan-file.ts';
import {makeProject, type Outcome, projectAt} from '../helpers/project.ts';
import {belongings, git, hermeticHome, temporaryFolder} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {keys, openProgram} from '../helpers/terminal.ts';

const errorOf = ({stdout}: Outcome) => JSON.parse(stdout).error;

const plan = {agents: [agent('edits.sh', ['src/one.txt', 'one'])]};

/** A folder that is no repository, above which there is none either. */
const makeFolder = () => {
	hermeticHome();
	return projectAt(temporaryFolder());
};

const unbornRepository = () => {
	const project = makeFolder();
	git(project.root, 'init', '--quiet');
	return project;
};

const commands = [
	['run', 'plan.yaml', '--headless'],
	['status'],
	['inbox'],
	['answer', 'q-1', 'yes'],
	['log'],
	['stop'],
	['add', 'One more thing'],
];

test.for(commands)('outside of a repository "%s" says so and exits with 3', async words => {
	const {code, stdout, stderr} = await makeFolder().run(...words);
	expect([code, stdout]).toEqual([3, '']);
	expect(stderr).toMatch(/^No git repository could be opened here: .*\nHint: .*git init\n?$/);
});

test('a repository without a commit is refused with 3, and nothing is made in it', async () => {
	const project = unbornRepository();
	const before = git(project.root, 'status', '--porcelain', '--branch');
	const outcome = await project.run('run', writePlan(project, plan), '--headless', '--json');
	expect(outcome.code).toBe(3);
	expect(errorOf(outcome)).toMatchObject({
		kind: 'missing',
		hint: expect.stringContaining('commit'),
	});
	expect(git(project.root, 'status', '--porcelain', '--branch')).toBe(before);
	expect(existsSync(project.state)).toBe(false);
});

test('a bad plan is refused with the line and column of each mistake, and nothing is changed', async () => {
	const project = makeProject();
	const before = belongings(project.root);
	const file = join(project.aside, 'bad.yaml');
	writeFileSync(
		file,
		[
			'version: 1',
			'task: Try',
			'agents:',
			'  - subtask: Write it',
			'    scop: {allowed: [src/**]}',
			'    agent: {protocol: text, command: []}',
			'',
		].join('\n'),
	);
	const {code, stdout, stderr} = await project.run('run', file, '--headless', '--yes');
	expect([code, stdout]).toEqual([2, '']);
	expect(stderr).toMatch(/bad\.yaml:5:5: error: .*scop.*scope/);
	expect(stderr).toMatch(/bad\.yaml:6:38: error: /);
	expect(stderr).toMatch(/Hint: the format of a plan file: delegate-tui help plan\n?$/);
	const asJson = await project.run('run', file, '--headless', '--yes', '--json');
	expect(asJson.code).toBe(2);
	expect(errorOf(asJson)).toMatchObject({kind: 'usage', message: expect.stringContaining(':5:5:')});
	expect(belongings(project.root)).toEqual(before);
	expect(existsSync(project.state)).toBe(false);
});

test('a plan that is not there is wrong use', async () => {
	const project = makeProject();
	const absent = await project.run('run', join(project.aside, 'absent.yaml'), '--headless');
	expect([absent.code, absent.stderr]).toEqual([
		2,
		expect.stringMatching(/^The plan file .*absent\.yaml can’t be read\.\nHint: /),
	]);
});

test('a plan whose target can be no branch, and a checkout that is on none, are refused', async () => {
	const project = makeProject();
	const unknown = await project.run(
		...['run', writePlan(project, {...plan, target: 'main/gone'}), '--headless', '--yes', '--json'],
	);
	expect(unknown.code).toBe(1);
	expect(errorOf(unknown).message).toContain('There is no branch main/gone, and ');
	git(project.root, 'checkout', '--quiet', '--detach');
	const detached = await project.run('run', writePlan(project, plan), '--headless', '--json');
	expect(detached.code).toBe(1);
	expect(errorOf(detached).message).toContain('detached HEAD');
	expect(git(project.root, 'for-each-ref', 'refs/delegate')).toBe('');
	await expectNobodyLeft(project);
});

test('without a session readers are empty and exit with 0, and what needs one is refused', async () => {
	const project = makeProject();
	const before = belongings(project.root);
	const inbox = await project.run('inbox', '--json');
	expect([inbox.code, inbox.stdout]).toEqual([0, '{"items":[]}']);
	const status = await project.run('status', '--json');
	expect([status.code, JSON.parse(status.stdout)]).toEqual([
		0,
		expect.objectContaining({session: null, agents: [], inbox: 0}),
	]);
	expect(await project.run('log', '--json')).toEqual({code: 0, stdout: '', stderr: ''});
	for (const words of [['stop'], ['answer', 'q-1', 'yes'], ['answer'], ['add', 'One more thing']]) {
		const outcome = await project.run(...words, '--json');
		expect([words, outcome.code, errorOf(outcome)]).toEqual([
			words,
			1,
			{
				kind: 'refused',
				message: 'No session is active in this repository.',
				hint: expect.any(String),
			},
		]);
	}

	expect(belongings(project.root)).toEqual(before);
	await expectNobodyLeft(project);
});

test('unknown commands and options, and what is typed too much, are wrong use', async () => {
	const project = makeFolder();
	expect((await project.run('frobnicate')).code).toBe(2);
	const {stderr} = await project.run('status', 'a', 'b');
	expect(stderr).toMatch(
		/^Too many arguments.*: a, b\.\nHint: delegate-tui help status; for a task that begins like this: delegate-tui "status …"/,
	);
	expect((await project.run('status', '--frob')).code).toBe(2);
	expect((await project.run('run')).code).toBe(2);
	expect((await project.run('--version')).code).toBe(0);
});

test('an answer to a wrong item is refused, and a wrong choice is wrong use', async () => {
	await using session = await startSession({agents: [agent('asks-once.sh', ['src/auth.txt'])]});
	const {project} = session;
	const question = await session.item('question');
	const seq = () => session.state().seq;
	await session.agent('AGT-001', 'CHECKPOINT');
	const before = seq();

	const wrongItem = await project.run('answer', 'q-9', 'oauth', '--json');
	expect([wrongItem.code, errorOf(wrongItem)]).toEqual([
		1,
		expect.objectContaining({kind: 'refused', message: expect.stringContaining('No item q-9')}),
	]);
	const wrongChoice = await session.tryAnswer(question, 'kerberos');
	expect([wrongChoice.code, errorOf(wrongChoice)]).toEqual([
		2,
		{
			kind: 'usage',
			message: '"kerberos" is not a choice for q-1.',
			hint: 'take one of: oauth, jwt, snooze',
		},
	]);
	const noChoice = await project.run('answer', question.id);
	expect([noChoice.code, noChoice.stderr]).toEqual([
		2,
		'A choice for q-1 is missing.\nHint: take one of: oauth, jwt, snooze',
	]);
	expect(seq()).toBe(before);

	await session.answer(question, 'oauth');
	const gone = await session.tryAnswer(question, 'jwt');
	expect([gone.code, errorOf(gone).message]).toEqual([
		1,
		expect.stringContaining('q-1 no longer waits. Answered "oauth" from '),
	]);
});

test('an agent whose program can’t be started has failed with the cause', async () => {
	const project = makeProject();
	const file = join(project.aside, 'not-executable');
	writeFileSync(file, '');
	const unusable = {...agent('edits.sh'), agent: {protocol: 'text', command: [file]}} as const;
	await using session = await startSession({agents: [unusable]}, project);
	const failure = await session.item('failure');
	expect(failure.title).toBe(
		`Failed: start failed: You may not run the agent’s program "${file}".`,
	);
});

test('a task is taken from words without quotes, unless they begin with a slip in a command', async () => {
	const project = makeProject();
	using terminal = openProgram(project, ['fix', 'the', 'rounding', 'bug']);
	await terminal.until(/Task +fix the rounding bug/);
	await terminal.typeUntil(keys.escape, 'q leave');
	terminal.type('q');
	expect(await terminal.exits()).toBe(0);
	for (const words of [
		['Add', 'a', 'test'],
		['logs are noisy', 'here'],
		['fix', 'the', 'bug'],
	]) {
		expect(await project.run(...words)).toMatchObject({
			code: 2,
			stderr: expect.stringMatching(/^Planning a task needs the screen/),
		});
	}

	expect(await project.run('logs', 'are', 'noisy')).toMatchObject({
		code: 2,
		stderr:
			'There is no command "logs".\nHint: did you mean "log"? Put a task that begins like this in quotes.',
	});
});

test('the path of a file is not taken as a task', async () => {
	const folder = makeFolder();
	writeFileSync(join(folder.root, 'a plan.yaml'), 'version: 1\n');
	expect(await folder.run('a plan.yaml')).toMatchObject({
		code: 2,
		stderr:
			"a plan.yaml is a file, not a task.\nHint: delegate-tui run 'a plan.yaml' starts the plan in it; delegate-tui --from 'a plan.yaml' plans what it asks for",
	});
});

test.for([['runn', 'plan.yaml'], ['runn', 'plan.yaml', '--headless'], ['runn']])(
	'a command with a slip in its name is told, whatever comes behind it: %s',
	async words => {
		expect(await makeFolder().run(...words)).toMatchObject({
			code: 2,
			stderr: 'There is no command "runn".\nHint: did you mean "run"?',
		});
	},
);
