import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {execa} from 'execa';
import {expect, test} from 'vitest';
import {gitExecutable} from '../../src/git/process/executable.ts';
import {agent, type PlannedAgent, sceneCommand} from '../helpers/plan-file.ts';
import {program} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

/** Works for ever, but for what it is told; taken for a Claude Code. */
const stubborn = (): PlannedAgent => ({
	subtask: 'Play the scene',
	scope: {allowed: ['src/**']},
	agent: {extends: 'claude', command: sceneCommand(scene)},
});

const scene = {
	steps: [{write: {path: 'src/a.txt', text: 'a'}}, {say: 'PROGRESS: a - waits'}, {wait: 600}],
	when: [
		{
			says: 'use the clock',
			steps: [
				{write: {path: 'src/clock.txt', text: 'clock'}},
				{say: 'PROGRESS: b - waits'},
				{wait: 600},
			],
		},
		{says: 'STARTED ANEW', steps: [{complete: {}}]},
		{says: 'LET GO ON', steps: [{say: 'PROGRESS: c - waits'}, {wait: 600}]},
	],
};

test('one agent is interrupted, paused, let go on and started over, and another one is stopped', async () => {
	await using session = await startSession({
		agents: [stubborn(), agent('hangs-once.sh', ['src/work.txt'])],
	});
	const {project} = session;
	const steer = async (...words: readonly string[]): Promise<string> => {
		const {code, stdout} = await project.run('agent', ...words);
		expect([words, code]).toEqual([words, 0]);
		return stdout;
	};

	await session.event('signal.said', said => said.agent === 'AGT-001');
	expect(await steer('AGT-001', 'message', 'use the clock', '--now')).toBe('AGT-001 was told.');
	await session.event('signal.said', said => said.agent === 'AGT-001' && said.turn === 2);
	expect(await steer('AGT-001', 'pause')).toContain('AGT-001 is paused');
	const status = JSON.parse((await project.run('status', '--json')).stdout);
	expect(status.agents[0]).toMatchObject({why: 'paused by you', messages: []});

	await session.event('signal.said', said => said.agent === 'AGT-002');
	expect(await steer('AGT-002', 'stop')).toMatch(
		/^AGT-002 is out of the session. Its work is kept in snapshot \d+\.$/,
	);
	await session.agent('AGT-002', 'ABORTED');
	const kept = session.events('snapshot.taken').findLast(taken => taken.agent === 'AGT-002');
	const store = `${session.folder.path}/../store.git`;
	expect(git(store, 'show', `${kept?.commit}:src/work.txt`)).toBe('half');
	const again = await project.run('agent', 'AGT-002', 'stop', '--json');
	expect([again.code, JSON.parse(again.stdout).error.message]).toEqual([
		1,
		'AGT-002 is out of the session: a person ended it.',
	]);

	const shell = join(project.aside, 'shell');
	writeFileSync(shell, '#!/bin/sh\necho mine > src/mine.txt\necho mine > outside.txt\n', {
		mode: 0o755,
	});
	const programs = join(project.aside, 'programs');
	mkdirSync(programs);
	const environment = {
		...project.environment,
		PATH: `${programs}:${project.environment.PATH}`,
		SHELL: shell,
		VISUAL: `'${shell}' --wait`,
	};
	const visit = (how = 'shell') =>
		execa(process.execPath, [program, 'agent', 'AGT-001', how], {
			cwd: project.root,
			env: environment,
			extendEnv: false,
			stdin: 'ignore',
			reject: false,
		});
	expect((await visit()).stdout).toContain(
		'You changed 1 file, and AGT-001 is told; it stays paused. Reverted, since outside its scope: outside.txt.',
	);
	await session.event(
		'user.steered',
		({order}) =>
			order.verb === 'resume' && order.text === 'A person changed in your worktree: src/mine.txt.',
	);
	const pinned = session.events('snapshot.taken').filter(({agent}) => agent === 'AGT-001');
	expect(pinned.slice(-2).map(({reason}) => reason)).toEqual(['a visit begins', 'a visit']);

	writeFileSync(shell, '#!/bin/sh\necho "$@" in "$PWD"\necho more > src/mine.txt\nexit 1\n', {
		mode: 0o755,
	});
	const broken = await visit('editor');
	expect([broken.exitCode, broken.stdout, broken.stderr]).toEqual([
		1,
		expect.stringContaining(`--wait . in ${session.folder.agent('AGT-001').tree}`),
		expect.stringContaining(
			'Your editor exited with code 1. You changed 1 file, and AGT-001 is told; it stays paused.',
		),
	]);
	writeFileSync(shell, '#!/bin/sh\necho there\nexec sleep 30\n', {mode: 0o755});
	for (const ending of ['SIGHUP', 'SIGTERM'] as const) {
		const visiting = visit();
		for await (const line of visiting) {
			if (line === 'there') {
				visiting.kill(ending);
			}
		}

		expect((await visiting).stdout).toContain('You changed nothing; it stays paused.');
	}

	expect(await steer('AGT-001', 'resume')).toContain('AGT-001 goes on');
	await session.event('signal.said', said => said.agent === 'AGT-001' && said.turn === 3);

	const meanwhile = join(project.aside, 'meanwhile.json');
	const look = `'${process.execPath}' '${program}' status --json`;
	// A repository that an agent has made inside of its worktree, looked at by its own program.
	const [sprung, real] = [join(project.aside, 'sprung'), gitExecutable()];
	const plain = `env -i "HOME=$HOME" ${real}`;
	const planted = `${plain} init -q src/sub\n${plain} -C src/sub config core.fsmonitor 'touch ${sprung}; false'\n(cd src/sub && git status >&2)\nrm -rf src/sub\n`;
	const claude = `#!/bin/sh\necho "$*"\n(cd '${project.root}' && ${look}) > '${meanwhile}'\necho other > src/mine.txt\n${planted}`;
	writeFileSync(join(programs, 'claude'), claude, {mode: 0o755});
	const [opened, ...others] = session.events('conversation.opened');
	expect((await visit('attach')).stdout).toContain(
		`\n--setting-sources user --strict-mcp-config --resume ${opened?.conversation}\nYou changed 1 file, and AGT-001 is told; it goes on.`,
	);
	expect(existsSync(sprung)).toBe(false);
	expect(JSON.parse(readFileSync(meanwhile, 'utf8')).agents[0].why).toBe('paused by you');
	await session.event('signal.said', said => said.agent === 'AGT-001' && said.turn === 4);
	expect(others).toEqual([]);

	const first = session.events('snapshot.taken').find(({reason}) => reason === 'exit:1');
	const counts = await project.run('diff', 'AGT-001', '--json');
	expect(JSON.parse(counts.stdout)).toMatchObject({
		from: {snapshot: null},
		files: [
			{path: 'src/a.txt', status: 'A', added: 1, removed: 0},
			{path: 'src/clock.txt', status: 'A', added: 1, removed: 0},
			{path: 'src/mine.txt', status: 'A', added: 1, removed: 0},
		],
		added: 3,
	});
	const patch = await project.run('diff', 'AGT-001', String(first?.number));
	expect(patch.stdout).toMatch(/^diff --git a\/src\/clock\.txt b\/src\/clock\.txt\n/);
	const told = await steer('AGT-001', 'restart', '--from', String(first?.number));
	expect(told).toContain('src/clock.txt');
	expect(told).toContain(`AGT-001 starts over from snapshot ${first?.number}`);
	await session.accept('AGT-001');
	await session.approve();
	expect(session.events('conversation.opened')).toHaveLength(2);
	expect(git(project.root, 'ls-tree', '-r', '--name-only', 'main', 'src')).toBe('src/a.txt');
});
