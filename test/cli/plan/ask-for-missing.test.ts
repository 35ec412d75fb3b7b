import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {agent} from '../../helpers/plan-file.ts';
import {makeProject} from '../../helpers/project.ts';
import {openProgram} from '../../helpers/terminal.ts';

test('a plan without what agents need is asked for it at a terminal, and goes on with the answers', async () => {
	const {agent: mine} = agent('asks-once.sh', ['src/a.txt']);
	const project = makeProject({
		'.delegate-tui.yaml': stringify({docs: false, agents: {mine}}),
		'src/a.txt': 'a\n',
	});
	const file = join(project.root, 'plan.yaml');
	const gone = {protocol: 'text', command: ['/nowhere/gone']};
	const agents = [
		{subtask: 'Write it in the sources', agent: gone},
		{subtask: 'Read all of it', agent: mine, goal: 'Read', scope: {allowed: []}},
	];
	writeFileSync(file, stringify({version: 1, task: 'Limit it', agents}));
	using terminal = openProgram(project, ['run', file, '--headless'], {columns: 160, rows: 50});
	await terminal.until('What should every agent know of this repository? Else each agent');
	await terminal.typeUntil('An API\r', 'What is the result measured by');
	await terminal.typeUntil('npm test passes\r', 'What does done mean for AGT-001');
	await terminal.typeUntil('\r', 'Where may AGT-001 write? Globs; without any it can only read');
	await terminal.typeUntil('/etc/**\r', 'The glob /etc/** ');
	await terminal.typeUntil('src/**\r', 'The program of AGT-001 is not installed. Which agent');
	await terminal.typeUntil('mine\r', 'Waiting for you:');
	const {items} = JSON.parse((await project.run('inbox', '--json')).stdout);
	expect(items[0]).toMatchObject({
		id: 'p-1',
		plan: {
			context: 'An API',
			success: ['npm test passes'],
			agents: [
				{profile: 'mine', scope: {allowed: ['src/**']}},
				{goal: 'Read', scope: {allowed: []}},
			],
		},
	});
	expect(items[0].plan.agents[0]).not.toHaveProperty('goal');
	expect(items[0].warnings.join('\n')).toContain('has no `goal`');
	expect(items[0].warnings.join('\n')).not.toContain('has no `context`');
	await project.run('stop');
	await terminal.exits();
});
