import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {temporaryFolder, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {openProgram} from '../helpers/terminal.ts';

test('an agent that joins is judged as one of a plan, gets only what was said, and its id is told', async () => {
	const {agent: mine} = agent('asks-once.sh', ['src/typed.txt']);
	const config = temporaryFolder();
	const own = {...mine, env: {TOKEN: 'my secret'}};
	write(config, {'delegate-tui/config.yaml': stringify({agents: {own}})});
	const {root, aside} = makeProject({
		'.delegate-tui.yaml': stringify({docs: false, limits: {stagger: '0s'}, agents: {mine}}),
	});
	const project = projectAt(root, {aside, env: {XDG_CONFIG_HOME: config}});
	await using session = await startSession(
		{agents: [agent('asks-once.sh', ['src/asked.txt'])]},
		project,
	);
	await session.item('question');
	const nameless = await project.run('add', 'Write it', '--agent', 'nobody');
	expect(nameless).toMatchObject({code: 2});
	expect(nameless.stderr).toContain('There is no agent profile `nobody`.');

	const {subtask, agent: command} = agent('writes.sh', ['src/added.txt']);
	const file = join(project.aside, 'sub.yaml');
	const set = {...command, env: {NODE_OPTIONS: '--require ./evil.cjs'}};
	writeFileSync(file, stringify({subtask, agent: set, scope: {allowed: ['src/added.txt']}}));
	const added = await project.run('add', '--file', file);
	expect(added.stdout).toContain('has no `goal`, so its agent decides by itself when it is done.');
	expect(added.stdout).toContain('Added AGT-002, which may write src/added.txt: by the plan: ');
	expect(added.stdout).toContain('; sets NODE_OPTIONS="--require ./evil.cjs"\n');
	expect(added.stdout).toContain('Watch it: delegate-tui status');
	await session.event('turn.started', ({agent: who}) => who === 'AGT-002');

	const words = ['add', 'Write it in the folder of sources'];
	using terminal = openProgram(project, words, {columns: 120, rows: 40});
	await terminal.until('Where may it write? Globs; without any it can only read:');
	await terminal.typeUntil('/etc/** src/**\r', 'The glob /etc/** ');
	await terminal.typeUntil('src/typed.txt\r', 'Which agent does it? One of ');
	await terminal.typeUntil('codexx\r', 'There is no agent profile `codexx`. Did you mean `codex`?');
	await terminal.typeUntil('mine\r', 'What does done mean for it? Else');
	await terminal.typeUntil('It is there\r', 'What is its result measured by');
	await terminal.typeUntil(
		'the file is there\r',
		'Added AGT-003, which may write src/typed.txt: mine, by this repository’s config: ',
	);
	expect(await terminal.exits()).toBe(0);

	const mineToo = await project.run('add', 'Write more', '--agent', 'own', '--goal', 'It is there');
	expect(mineToo.stdout).toContain('; sets TOKEN (the value of your config)\n');
	expect(mineToo.stdout).not.toContain('my secret');

	writeFileSync(file, stringify({subtask, agent: command}));
	const reader = await project.run('add', '--file', file, '--json');
	expect(JSON.parse(reader.stdout)).toMatchObject({
		ok: true,
		event: {subtask: {id: 'AGT-005', scope: {allowed: []}}},
		warnings: expect.arrayContaining([expect.stringContaining('so it can only read')]),
	});
});

test('one more subtask is given to two agents at once, of whose works the best is taken', async () => {
	const {agent: best} = agent('edits.sh', ['src/best.txt', 'plain']);
	const project = makeProject({
		'.delegate-tui.yaml': stringify({
			docs: false,
			limits: {stagger: '0s'},
			agents: {one: best, two: best},
		}),
	});
	const agents = [agent('asks-once.sh', ['src/asked.txt'])];
	await using session = await startSession({agents}, project);
	await session.item('question');
	const words = ['Write it', '--scope', 'src/best.txt', '--goal', 'It is there'];
	const added = await project.run('add', ...words, '--best-of', 'one,two');
	expect(added.stdout).toContain('Added AGT-002, which may write src/best.txt: one, ');
	expect(added.stdout).toContain('Added AGT-003, which may write src/best.txt: two, ');
	const review = await session.item('review', 'AGT-003');
	await session.item('review', 'AGT-002');
	await session.answer(review, 'merge');
	expect(
		session
			.state()
			.agents.map(({id, state}) => [id, state])
			.slice(1),
	).toEqual([
		['AGT-002', 'ABORTED'],
		['AGT-003', 'COMPLETE'],
	]);
	const like = await project.run('add', 'Write it', '--best-of', 'one,two', '--like', 'AGT-001');
	expect(like).toMatchObject({code: 2});
	const modelled = ['add', 'Write it', '--like', 'AGT-001'];
	expect((await project.run(...modelled, '--scope', '/etc/**')).code).toBe(2);
	const typed = await project.run(...modelled, '--scope', 'docs/limits.md');
	expect(typed.stdout).toContain('Added AGT-004, which may write docs/limits.md: ');
});
