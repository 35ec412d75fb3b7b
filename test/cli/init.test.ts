import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {loadConfig} from '../../src/cli/config/load.ts';
import {makeProject} from '../helpers/project.ts';
import {write} from '../helpers/repository.ts';

test('init writes a config in which nothing is in force, and a plan that can be run', async () => {
	const project = makeProject({'package.json': '{"scripts": {"test": "node --test"}}'});
	const {stdout, code} = await project.run('init');
	expect({stdout, code}).toEqual({
		stdout:
			'.delegate-tui.yaml is there already, and was left as it is.\nWrote plan.yaml.\nNext: say in plan.yaml what is to be done, then: delegate-tui run plan.yaml',
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
