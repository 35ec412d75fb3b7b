import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {loadConfig} from '../../src/cli/config/load.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {temporaryFolder, write} from '../helpers/repository.ts';

test('init writes a config in which nothing is in force, and a plan that can be run', async () => {
	const project = makeProject({'package.json': '{"scripts": {"test": "node --test"}}'});
	const {stdout, code} = await project.run('init');
	expect({stdout, code}).toEqual({
		stdout:
			'.delegate-tui.yaml is there already, and was left as it is.\nWrote plan.yaml.\nNext: fill in plan.yaml, then: delegate-tui run plan.yaml',
		code: 0,
	});
	const plan = readFileSync(join(project.root, 'plan.yaml'), 'utf8');
	expect(plan).toContain('verify: [npm test]');
	const prompt = await project.run('help', 'prompt', 'plan.yaml');
	expect(prompt).toMatchObject({code: 0, stdout: expect.stringContaining('AGT-002')});
});

test('of the config it writes, every key is only a comment', async () => {
	const project = makeProject({'.delegate-tui.yaml': '', 'Cargo.toml': ''});
	execFileSync('git', ['rm', '--quiet', '.delegate-tui.yaml'], {cwd: project.root});
	await project.run('init');
	const {config, problems} = await loadConfig(project.root);
	expect(problems).toEqual([]);
	expect(config?.limits.parallel).toBe(3);
	expect(readFileSync(join(project.root, 'plan.yaml'), 'utf8')).toContain('verify: [cargo test]');
	const again = await project.run('init');
	expect(again.stdout).toContain('plan.yaml is there already');
});

test('an editor finds the schema of what it writes where the program is a dependency', async () => {
	const project = makeProject({'.gitignore': 'node_modules\n'});
	write(project.root, {'node_modules/delegate-tui/schemas/plan.schema.json': '{}'});
	await project.run('init');
	expect(readFileSync(join(project.root, 'plan.yaml'), 'utf8')).toMatch(
		/^# yaml-language-server: \$schema=node_modules\/delegate-tui\/schemas\/plan\.schema\.json\n/,
	);
});

test('a person’s own agents get a skill and commands, and what is there already stays', async () => {
	const project = makeProject({'.claude/commands/sync.md': 'mine\n'});
	const programs = temporaryFolder();
	for (const name of ['gemini', 'opencode']) {
		writeFileSync(join(programs, name), '#!/bin/sh\n', {mode: 0o755});
	}

	const {root, environment} = project;
	const env = {PATH: `${programs}${delimiter}${environment.PATH}`};
	const {stdout} = await projectAt(root, {env}).run('init', '--skill');
	expect(stdout.split('\n')).toEqual([
		'Wrote .claude/skills/delegate-tui/SKILL.md.',
		'Wrote .claude/commands/delegate.md.',
		'.claude/commands/sync.md is there already, and was left as it is.',
		'Wrote .claude/commands/bg.md.',
		'Wrote .agents/skills/delegate-tui/SKILL.md.',
		...['delegate', 'sync', 'bg'].map(name => `Wrote .opencode/commands/${name}.md.`),
		...['delegate', 'sync', 'bg'].map(name => `Wrote .gemini/commands/${name}.toml.`),
		'Next: say /delegate TASK to your agent. It plans and starts; you approve.',
	]);
	const [, head = '', body] = read(root, '.claude/skills/delegate-tui/SKILL.md').split(/^---$/m);
	expect(parse(head)).toMatchObject({name: 'delegate-tui', description: expect.any(String)});
	expect(body).toContain('delegate-tui run plan.yaml --headless');
	expect(read(root, '.claude/commands/bg.md')).toContain('Task: $ARGUMENTS');
	expect(read(root, '.gemini/commands/bg.toml')).toContain("prompt = '''\nTask: {{args}}\n");
	expect(read(root, '.claude/commands/sync.md')).toBe('mine\n');
});

test('each command and each key of a plan that the skill names is there', async () => {
	const project = makeProject();
	await project.run('init', '--skill');
	const skill = read(project.root, '.claude/skills/delegate-tui/SKILL.md');
	const named = [...skill.matchAll(/`delegate-tui ([a-z]+)/g)].map(([, name = '']) => name);
	const {stdout} = await project.run('--help');
	expect(named.filter(name => !new RegExp(`^  ${name} `, 'm').test(stdout))).toEqual([]);
	const [needs = ''] = /each subtask needs .*$/m.exec(skill) ?? [];
	const keys = [...needs.matchAll(/`([a-z.]+)`/g)].map(([, key = '']) => key.split('.')[0]);
	const {stdout: planHelp} = await project.run('help', 'plan');
	expect(keys.filter(key => !new RegExp(`\\b${key}:`).test(planHelp))).toEqual([]);
	expect(keys).toHaveLength(7);
});

const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');
