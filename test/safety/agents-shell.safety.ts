import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {until} from '../../src/lib/process/processes.ts';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, type Outcome, type Project, program, startIn} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';
import {keys, openProgram, type TestTerminal} from '../helpers/terminal.ts';

const isLinux = process.platform === 'linux';

/** An agent that has set its traps, and waits for an answer. */
const trapped = async (
	...options: readonly 'alone'[]
): Promise<Session & {readonly told: string}> => {
	const project = makeProject();
	const told = join(project.aside, 'told');
	const scope = {allowed: ['src/**', '.gitmodules']};
	const words = [project.root, project.state, process.execPath, program, told, ...options];
	const session = await startSession(
		{agents: [agent('attacks/sets-traps.sh', words, {scope})]},
		project,
	);
	await session.item('question', 'AGT-001');
	return Object.assign(session, {told});
};

/** Opens the shell in its worktree as a person does, by a command or by a key of the screen. */
const openShell = async (
	project: Project,
	words: readonly string[] = ['agent', 'AGT-001', 'shell'],
): Promise<TestTerminal> => {
	const ENV = join(project.aside, 'profile');
	writeFileSync(ENV, "PS1='ready> '\n");
	const terminal = openProgram(project, words, {
		columns: 160,
		rows: 60,
		environment: {SHELL: '/bin/sh', ENV, PAGER: 'cat'},
	});
	if (words.length === 0) {
		await terminal.until('⏎ q-1');
		terminal.type('!');
	}

	await terminal.until('ready>');
	return terminal;
};

/** Types a command, and settles when it has ended. */
const typed = async (terminal: TestTerminal, command: string, number: number): Promise<void> => {
	terminal.type(`${command}; echo "en"ded ${number}\r`);
	await terminal.until(`ended ${number}`);
};

test('git in an agent’s shell starts nothing that the agent has set up', async () => {
	await using session = await trapped();
	using terminal = await openShell(session.project);
	expect(terminal.text()).toMatch(/git follows your own settings/i);
	const me = '-c user.name=Ada -c user.email=ada@example.com -c core.editor=true';
	const commands = [
		'git status',
		'git st',
		'git diff',
		'git add -A',
		'git status',
		'git diff --submodule=diff HEAD',
		'git submodule update --init',
		'(cd src/nested && git status)',
		'(cd src/nested && /usr/bin/env git status)',
		'(cd src/bare && git status)',
		'git -C src/nested log -1',
		`git ${me} rebase --continue`,
		`git ${me} commit -qm mine`,
		'git log --oneline',
		'git stash list',
	];
	for (const [number, command] of commands.entries()) {
		await typed(terminal, command, number);
	}

	expect(terminal.text()).toMatch(/[\da-f]{7} .*mine/);
	terminal.type('exit\r');
	await terminal.exits();
	expect(existsSync(join(session.told, 'sprung'))).toBe(false);

	// The commit is the agent's to go on from, and its own settings are where they were.
	const {hub, tree} = session.folder.agent('AGT-001');
	const settings = ['-c', 'core.fsmonitor=false'];
	expect(git(tree, ...settings, 'log', '-1', '--format=%s')).toBe('mine');
	expect(git(hub, 'config', 'alias.st')).toContain('trap.sh');
});

test.runIf(isLinux)('what is started in an agent’s shell decides nothing', async () => {
	await using session = await trapped();
	using terminal = await openShell(session.project);
	await typed(terminal, 'sh src/trap.sh', 1);
	for (const way of ['open', 'clean', 'orphan']) {
		const file = join(session.told, way);
		await until(() => existsSync(file), 60_000);
		const text = readFileSync(file, 'utf8');
		expect([way, text]).toEqual([way, expect.stringMatching(/exit 1$/m)]);
		expect([way, text]).toEqual([way, expect.stringMatching(/AGT-001|can’t see which process/)]);
	}

	await typed(terminal, `'${process.execPath}' '${program}' inbox`, 2);
	expect(terminal.text()).toContain('leave it first: exit');
	terminal.type('exit\r');
	await terminal.exits();
	expect(session.events('user.decided').map(({item}) => item)).toEqual(['p-1']);
});

test('a shell that the screen opens has keys and jobs, and gives the terminal back', async () => {
	await using session = await trapped();
	using terminal = await openShell(session.project, []);
	await terminal.typeUntil(`sh -c 'echo sl"ee"ps; exec sleep 1000'\r`, 'sleeps');
	await terminal.typeUntil(keys.controlC, /\^C\nready>$/m);
	await typed(terminal, 'true', 1);
	terminal.type('exit\r');
	await terminal.until('⏎ q-1');
	expect(terminal.isAlternate()).toBe(true);
	await terminal.typeUntil('?', 'Good to know');
	terminal.type('q');
	await terminal.exits();
});

type EditorWindow = AsyncDisposable & {
	/** Opens it on the worktree, as a person does. */
	readonly visit: () => Promise<Outcome>;
	/** Has it look at git in a folder, and returns what came of that. */
	readonly looks: (folder: string) => Promise<string>;
};

/** An editor of which a window runs already, as a rule: its command hands that the folder and ends; it looks at the git of the folder and of all below that has one, and has none of the environment of the command. */
const startWindow = async (session: Session): Promise<EditorWindow> => {
	const {project} = session;
	const pipe = join(project.aside, 'pipe');
	const seen = join(project.aside, 'seen');
	const open = join(project.aside, 'open');
	const window = join(project.aside, 'window.sh');
	execFileSync('mkfifo', [pipe]);
	const answer = `cd '${project.root}' && '${process.execPath}' '${program}' answer q-1 evil`;
	writeFileSync(
		window,
		`exec 3<> '${pipe}'
: > '${open}'
while read -r folder <&3 && [ "$folder" != end ]; do
	{
		cd "$folder"
		git status
		for inside in src/nested src/bare; do (cd "$inside" && git status); done
		(${answer}) 2>&1
		cd /
	} > '${seen}.part' 2>&1
	mv '${seen}.part' '${seen}'
done
`,
	);
	const running = startIn(project, ['sh', window]);
	// What is written into a named pipe that nobody has open yet is lost.
	await until(() => existsSync(open), 60_000);
	const editor = join(project.aside, 'editor');
	writeFileSync(editor, `#!/bin/sh\npwd > '${pipe}'\n`, {mode: 0o755});
	const environment = {...project.environment, DISPLAY: ':99', VISUAL: editor};
	const words = [process.execPath, program, 'agent', 'AGT-001', 'editor'];
	return {
		[Symbol.asyncDispose]: async () => {
			writeFileSync(pipe, 'end\n', {flag: 'r+'});
			await running.ended;
		},
		visit: () => startIn({root: project.root, environment}, words).ended,
		looks: async tree => {
			rmSync(seen, {force: true});
			writeFileSync(pipe, `${tree}\n`, {flag: 'r+'});
			await until(() => existsSync(seen), 150_000);
			return readFileSync(seen, 'utf8');
		},
	};
};

test('a window that ran before gets by neither way at the agent’s git, however long it stays open', async () => {
	await using session = await trapped('alone');
	await using window = await startWindow(session);
	const {stdout} = await window.visit();
	expect(stdout).toContain('it may be open in another window');
	const {tree} = session.folder.agent('AGT-001');
	expect(await window.looks(tree)).toContain('Untracked files');
	expect(existsSync(join(session.told, 'sprung'))).toBe(false);
	await session.project.run('agent', 'AGT-001', 'resume');
});

test.runIf(isLinux)('what a window starts in an agent’s worktree decides nothing', async () => {
	await using session = await trapped('alone');
	await using window = await startWindow(session);
	const seen = await window.looks(session.folder.agent('AGT-001').tree);
	expect(seen).toContain('You can’t decide from inside');
	expect(existsSync(join(session.told, 'sprung'))).toBe(true);
	expect(session.events('user.decided').map(({item}) => item)).toEqual(['p-1']);
});

test('no window is opened where the agent has made repositories', async () => {
	await using session = await trapped();
	await using window = await startWindow(session);
	const {code, stderr} = await window.visit();
	expect(stderr).toMatch(
		/would run what their settings name: src\/(?:bare and src\/nested|nested and src\/bare)\./,
	);
	expect(stderr).toContain('delegate-tui agent AGT-001 shell');
	expect(code).toBe(1);
	expect(existsSync(join(session.told, 'sprung'))).toBe(false);
	expect(session.state().agents[0]?.held).toBeUndefined();
});

test('an editor of the terminal gets by neither way at the agent’s git', async () => {
	await using session = await trapped();
	const {project} = session;
	const script =
		'#!/bin/sh\ngit status\nfor inside in src/*/; do (cd "$inside" && git status); done\n';
	writeFileSync(join(project.aside, 'vi'), script, {mode: 0o755});
	const environment = {
		...{...project.environment, DISPLAY: ':99', VISUAL: 'vi'},
		PATH: `${project.aside}:${project.environment.PATH}`,
	};
	const words = [process.execPath, program, 'agent', 'AGT-001', 'editor'];
	const {stdout} = await startIn({root: project.root, environment}, words).ended;
	expect(stdout).toContain('Untracked files');
	expect(existsSync(join(session.told, 'sprung'))).toBe(false);
});
