import {cpSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {expectNobodyLeft} from '../helpers/nobody-left.ts';
import {agent, writePlan} from '../helpers/plan-file.ts';
import {makeProject, type Project, projectAt} from '../helpers/project.ts';
import {startRun} from '../helpers/session.ts';

const plan = {agents: [agent('edits.sh', ['src/one.txt', 'one'])]};

/** Runs the program with its state somewhere else. */
const runAt = ({root, aside}: Project, state: string, ...words: readonly string[]) =>
	projectAt(root, {aside, env: {DELEGATE_TUI_STATE: state}}).run(...words);

test.runIf(existsSync('/proc/self'))(
	'a state folder that no system would make is missing, and said at once',
	async () => {
		const project = makeProject();
		const outcome = await runAt(project, '/proc/nope', 'run', writePlan(project, plan), '--json');
		expect(outcome.code).toBe(3);
		expect(JSON.parse(outcome.stdout).error).toEqual({
			kind: 'missing',
			message: expect.stringMatching(
				/^The state folder \/proc\/nope\/\S+ can’t be written: no folder can be made there\.$/,
			),
			hint: expect.stringContaining('DELEGATE_TUI_STATE'),
		});
	},
);

test.for(['.', 'below'])('a file in place of the state folder is named: %s', async below => {
	const project = makeProject();
	const file = join(project.aside, 'file');
	writeFileSync(file, 'mine');
	const state = join(file, below);
	const {code, stderr} = await runAt(project, state, 'run', writePlan(project, plan), '--headless');
	expect(code).toBe(3);
	expect(stderr).toMatch(
		/^The state folder .* can’t be written: a file is where .*\nHint: .*STATE/,
	);
});

/** Starts a session whose plan waits for its approval, so that no agent runs. */
const startWaiting = async () => {
	const project = makeProject();
	const {run, id, repository} = await startRun(project, plan);
	const home = (state: string) => repositoryFolder(state, repository.id);
	return {project, run, home, id};
};

/** Copies a session's journal to a state folder of its own, for which nobody supervises. */
const leaveBehind = async () => {
	const {project, run, home, id} = await startWaiting();
	const state = join(project.aside, 'copy');
	const folder = home(state);
	cpSync(home(project.state).session(id).journal, folder.session(id).journal, {recursive: true});
	await project.run('stop');
	await run.ended;
	return {project, state, folder, id};
};

const readers = [
	['status', '--json'],
	['inbox', '--json'],
	['log', '--json'],
];

test('readers tell what the journal says although a supervisor ends without a word', async () => {
	const {project, state, folder, id} = await leaveBehind();
	mkdirSync(folder.lock);
	symlinkSync('/dev/null', folder.log);
	for (const words of readers) {
		const {code, stdout, stderr} = await runAt(project, state, ...words);
		expect([words, code]).toEqual([words, 0]);
		expect(stdout).toContain(words[0] === 'inbox' ? '"p-1"' : id);
		expect(() => stdout.split('\n').map(line => JSON.parse(line))).not.toThrow();
		expect(stderr).toMatch(
			/^The session is not being supervised\. .* did not start: it exited with 3 and said nothing\. .*$/,
		);
	}
});

test('only what a supervisor said of this start is named as the cause', async () => {
	const {project, state, folder} = await leaveBehind();
	mkdirSync(folder.lock);
	writeFileSync(folder.log, 'words of an earlier one\n');
	const {code, stdout, stderr} = await runAt(project, state, 'status');
	expect([code, stdout]).toEqual([0, expect.stringContaining('1 waiting for you')]);
	expect(stderr).toMatch(/ did not start: .*database/);
	expect(stderr).not.toContain('earlier');
});

test('a log that can’t be written is the cause by name', async () => {
	const {project, state, folder} = await leaveBehind();
	mkdirSync(folder.log);
	const {code, stderr} = await runAt(project, state, 'inbox');
	expect([code, stderr]).toEqual([0, expect.stringContaining('supervisor.log can’t be written')]);
});

test('a session folder that vanishes while it is followed is missing', async () => {
	const {project, run, home, id} = await startWaiting();
	const {path} = home(project.state).session(id);
	renameSync(path, join(project.aside, 'elsewhere'));
	const {code, stdout} = await run.ended;
	renameSync(join(project.aside, 'elsewhere'), path);
	await project.run('stop');
	expect(code).toBe(3);
	expect(JSON.parse(stdout.split('\n').at(-1) ?? '').error).toEqual({
		kind: 'missing',
		message: `The session’s folder ${path} is gone, so it can’t be followed.`,
		hint: expect.any(String),
	});
	await expectNobodyLeft(project);
});
