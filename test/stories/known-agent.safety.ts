import {chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {configFolder} from '../../src/cli/config/load.ts';
import {type PlannedAgent, sceneCommand} from '../helpers/plan-file.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {git, hermeticHome, temporaryFolder, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const words = (command: readonly string[]): string => command.map(word => `'${word}'`).join(' ');

/** Puts a program on a path of its own that notes how it is started, and then plays a scene. */
const install = (folder: string, name: string, scene: Readonly<Record<string, unknown>>): void => {
	const program = join(folder, name);
	const play = words(sceneCommand(scene));
	writeFileSync(program, `#!/bin/sh\nenv > "$0.env"\necho "$*" > "$0.words"\nexec ${play}\n`);
	chmodSync(program, 0o755);
};

/** A folder of programs that has what starting one takes, and none of the agents that may be on this machine. */
const programs = (): string => {
	const folder = temporaryFolder();
	for (const program of ['sh', 'env', 'setpriv', 'unshare', 'bwrap']) {
		const place = ['/usr/bin', '/bin'].find(bin => existsSync(join(bin, program)));
		if (place !== undefined) {
			symlinkSync(join(place, program), join(folder, program));
		}
	}

	return folder;
};

const known = (name: string, folder: string): PlannedAgent => ({
	subtask: `Do what ${name} does`,
	scope: {allowed: ['src/**']},
	agent: {extends: name, env: {PATH: folder}},
});

test('an agent whose make is known is met as its profile says, and told what its project says', async () => {
	const folder = programs();
	install(folder, 'opencode', {
		steps: [{write: {path: 'src/a.txt', text: 'a\n'}}, {say: 'It is done.'}],
		// It takes no standing words, and would have forgotten its first prompt by a compaction.
		when: [{says: 'HOW YOU ARE HEARD', steps: [{complete: {}}]}],
	});
	await using session = await startSession(
		{agents: [known('opencode', folder)]},
		{'AGENTS.md': 'Indent by tabs.\n'},
	);
	await session.accept('AGT-001');
	expect((await session.approve()).code).toBe(0);
	expect(git(session.project.root, 'show', 'main:src/a.txt')).toBe('a');

	expect(readFileSync(join(folder, 'opencode.words'), 'utf8')).toMatch(
		/^acp --pure --hostname=127\.0\.0\.1 --port=\d+\n$/,
	);
	const environment = readFileSync(join(folder, 'opencode.env'), 'utf8');
	expect(environment).toContain('OPENCODE_DISABLE_PROJECT_CONFIG=1');
	expect(environment).toContain('"task*":"deny"');
	const prompt = readFileSync(session.folder.agent('AGT-001').prompt(1), 'utf8');
	expect(prompt).toContain('What AGENTS.md of this project tells agents');
	expect(prompt).toContain('Indent by tabs.');
	const telemetry = readFileSync(session.folder.telemetry, 'utf8');
	expect(telemetry).toContain('"kind":"introduction","name":"scripted-agent","version":"1"');
	expect(JSON.stringify(session.events('session.started'))).not.toContain(folder);
});

test('an agent goes on with another model in the same conversation, told so by a command', async () => {
	const folder = programs();
	install(folder, 'opencode', {
		steps: [{ask: {id: 'port', question: 'Which port?'}}, {complete: {}}],
	});
	await using session = await startSession({agents: [known('opencode', folder)]});
	const question = await session.item('question', 'AGT-001');
	const {stdout} = await session.project.run('agent', 'AGT-001', 'model', 'loop/large');
	expect(stdout).toContain('goes on with the model loop/large from its next turn on');
	await session.answer(question, '80');
	await session.agent('AGT-001', 'COMPLETE');
	expect(readFileSync(join(folder, 'opencode.env'), 'utf8')).toContain('"model":"loop/large"');
	expect(session.events('conversation.opened')).toHaveLength(1);
});

test('an agent whose program is missing is told of with the command that installs it, and tried again when it is there', async () => {
	const folder = programs();
	await using session = await startSession({agents: [known('gemini', folder)]});
	const failure = await session.item('failure', 'AGT-001');
	expect(failure.title).toBe(
		'Failed: start failed: The agent’s program "gemini" was not found; `npm install -g @google/gemini-cli@0.61.0` brings it.',
	);
	install(folder, 'gemini', {steps: [{complete: {}}]});
	await session.answer(failure, 'retry');
	await session.agent('AGT-001', 'COMPLETE');
});

test('an agent that would run what a project names is not started, and can be retried as another one', async () => {
	const folder = programs();
	install(folder, 'codex-acp', {steps: [{complete: {}}]});
	const mine = {protocol: 'acp', command: sceneCommand({steps: [{complete: {}}]})};
	await using session = await startSession(
		{agents: [known('codex', folder)]},
		{
			'.codex/config.toml': '[mcp_servers.x]\ncommand = "touch"\n',
			'.delegate-tui.yaml': stringify({docs: false, limits: {stagger: '0s'}, agents: {mine}}),
		},
	);
	const failure = await session.item('failure', 'AGT-001');
	const why = 'Codex would run programs that the project’s .codex/config.toml names';
	expect(failure.title).toContain(why);

	const retry = await session.project.run(
		...['answer', failure.id, 'retry', '--agent', 'mine', '--note', 'You load nothing'],
	);
	expect([retry.code, retry.stderr]).toEqual([0, '']);
	await session.agent('AGT-001', 'COMPLETE');
	const {turn = 0} = session.events('turn.started').at(-1) ?? {};
	const prompt = readFileSync(session.folder.agent('AGT-001').prompt(turn), 'utf8');
	expect(prompt).toContain(why);
	expect(prompt).toContain('You load nothing');
});

test('an agent of the person’s registry is listed, and works under its name there', async () => {
	hermeticHome();
	const folder = programs();
	install(folder, 'reg-agent', {
		steps: [{write: {path: 'src/a.txt', text: 'a\n'}}, {complete: {}}],
	});
	const at = {archive: 'https://example.org/a.tgz', cmd: './reg-agent', args: ['--acp']};
	const systems = ['linux-x86_64', 'linux-aarch64', 'darwin-x86_64', 'darwin-aarch64'];
	const one = {name: 'An agent', version: '1.2.3'};
	const agents = [
		{...one, id: 'reg', distribution: {binary: Object.fromEntries(systems.map(it => [it, at]))}},
		{...one, id: 'other', distribution: {npx: {package: 'other-agent@2.0.0'}}},
	];
	const made = makeProject();
	const project = projectAt(made.root, {env: {PATH: `${folder}:${made.environment.PATH}`}});
	write(configFolder(), {'registry.json': JSON.stringify({agents})});
	const {stdout} = await project.run('agents');
	expect(stdout).toMatch(/^✓ +reg\b/m);
	expect(stdout).toContain('  other: An agent 1.2.3; npm install -g other-agent@2.0.0');

	const subtask = {subtask: 'Write it', scope: {allowed: ['src/**']}, agent: 'reg'};
	await using session = await startSession({agents: [subtask]}, project);
	await session.accept('AGT-001');
	await session.approve();
	expect(git(project.root, 'show', 'main:src/a.txt')).toBe('a');
	expect(readFileSync(join(folder, 'reg-agent.words'), 'utf8')).toBe('--acp\n');
});
