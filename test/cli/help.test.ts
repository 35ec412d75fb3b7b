import {writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {execa} from 'execa';
import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {z} from 'zod';
import {configSchema} from '../../src/cli/config/schema.ts';
import {configExample, configText} from '../../src/cli/topics/config.ts';
import {planText} from '../../src/cli/topics/plan.ts';
import {topics} from '../../src/cli/topics/topics.ts';
import {supervisionLevels} from '../../src/events/supervision.ts';
import {answerTo, type PolicyKind, policy} from '../../src/rules/effects/policy.ts';
import {agentProfile} from '../../src/rules/plan/fields.ts';
import {signals} from '../../src/signals/index.ts';
import {besideTools, instructions} from '../../src/signals/instructions.ts';
import {actions} from '../../src/tui/keys.ts';
import {makeProject} from '../helpers/project.ts';

const launcher = resolve('bin/delegate-tui.cjs');

const help = (...words: readonly string[]) =>
	execa(process.execPath, [launcher, 'help', ...words], {reject: false});

const textOf = async (name: string): Promise<string> =>
	(await topics.find(topic => topic.name === name)?.text()) ?? '';

describe('a topic', () => {
	test('signals tells every signal, its fields and how it is written', async () => {
		const text = await textOf('signals');
		for (const {marker, help: meaning, fields, examples} of signals) {
			expect(text).toMatch(new RegExp(`^${marker}( \\(tool: \\w+\\))?$`, 'm'));
			expect(text).toContain(`  ${meaning}\n`);
			expect(fields.filter(field => !text.includes(`  - ${field.name} (${field.type}`))).toEqual(
				[],
			);
			expect(text).toContain(`    ${examples[0]?.split('\n')[0]}`);
		}
	});

	test('keys tells every action by its name', async () => {
		const text = await textOf('keys');
		const told = actions.filter(({name}) => !/-\d$/.test(name) && name !== 'gone');
		expect(told.length).toBeGreaterThan(30);
		expect(told.filter(({name}) => !new RegExp(` ${name}$`, 'm').test(text))).toEqual([]);
		expect(text).not.toContain('`');
	});

	test('prompt tells what an agent is told, from who it is to how it is heard', async () => {
		const text = await textOf('prompt');
		expect(text).toMatch(/^Read and follow: \.claude\/agents\/backend\.md\n\nEXECUTION CONTEXT\n/);
		for (const part of ['AUTHORITY', 'TASK CONTEXT', 'CONSTRAINTS', 'EXPECTED OUTPUT']) {
			expect(text).toContain(`\n\n${part}\n`);
		}

		expect(text).toContain(instructions(['CREATED', 'SUMMARY'], besideTools()));
	});

	test('policy tells for each event what happens at each level of supervision', async () => {
		const text = await textOf('policy');
		const rows = Object.keys(policy) as PolicyKind[];
		expect(rows.length).toBeGreaterThan(10);
		for (const row of rows) {
			const [supervised, semi] = [
				answerTo(row, supervisionLevels.supervised),
				answerTo(row, supervisionLevels['semi-autonomous']),
			];
			expect(text).toMatch(
				new RegExp(`^\\| ${policy[row].what} +\\| ${supervised} +\\| ${semi} +\\|`, 'm'),
			);
		}
	});

	test('config shows an example with every key, which can be used', async () => {
		expect(await textOf('config')).toBe(configText);
		const shown = parse(configExample);
		configSchema.parse(shown);
		const {limits, questions, notify} = configSchema.shape;
		const profiles: readonly object[] = Object.values(shown.agents);
		const known = JSON.stringify(z.toJSONSchema(agentProfile, {io: 'input'}));
		const knownKeys = [...known.matchAll(/"properties":\{|"(\w+)":\{/g)].flatMap(([, key]) =>
			key === undefined || ['items', 'propertyNames', 'additionalProperties'].includes(key)
				? []
				: [key],
		);
		expect([...new Set(profiles.flatMap(Object.keys))].sort()).toEqual(
			[...new Set(knownKeys)].sort(),
		);
		expect(Object.keys(shown).sort()).toEqual(Object.keys(configSchema.shape).sort());
		expect(Object.keys(shown.limits).sort()).toEqual(Object.keys(limits.unwrap().shape).sort());
		expect(Object.keys(shown.questions).sort()).toEqual(
			Object.keys(questions.unwrap().shape).sort(),
		);
		expect(Object.keys(shown.notify).sort()).toEqual(Object.keys(notify.unwrap().shape).sort());
	});
});

describe('delegate-tui help', () => {
	test('prints a topic', async () => {
		const {stdout, exitCode} = await help('plan');
		expect(stdout).toBe(planText);
		expect(exitCode).toBe(0);
	});

	test('prints what each agent of a plan will be told, with the guide of the project', async () => {
		const project = makeProject({'AGENTS.md': 'Tabs, please.\n'});
		const plan = join(project.aside, 'plan.yaml');
		writeFileSync(
			plan,
			[
				'version: 1',
				'task: All of it',
				'agents:',
				'  - {subtask: The first part, scope: {allowed: ["src/**"]}, agent: opencode}',
				'  - {subtask: The second part, after: [AGT-001], agent: codex, expect: [COVERAGE]}',
			].join('\n'),
		);
		const {stdout, code} = await project.run('help', 'prompt', plan);
		expect(code).toBe(0);
		const [first = '', second = ''] = stdout.split(/^──── AGT-002 ─+$/m);
		expect(first).toMatch(/^──── AGT-001 ─+\n/);
		expect(first).toContain('- Your subtask: The first part\n');
		expect(first).toContain('Tabs, please.');
		expect(second).toContain('- Your subtask: The second part\n');
		expect(second).toContain('‹what it said and what was found of it›');
		expect(second).toContain('## Signal COVERAGE');
		expect(second).not.toContain('Tabs, please.');
	});

	test('refuses a file for what is the same for all', async () => {
		const {stderr, exitCode} = await help('keys', 'plan.yaml');
		expect(stderr).toBe(
			'Only help on prompt takes a file.\nHint: delegate-tui help prompt plan.yaml',
		);
		expect(exitCode).toBe(2);
	});

	test('prints what a command takes, as --help does', async () => {
		const {stdout, exitCode} = await help('run');
		const asked = await execa(process.execPath, [launcher, 'run', '--help']);
		expect(stdout).toBe(asked.stdout);
		expect(stdout).toContain('--headless');
		expect(exitCode).toBe(0);
	});

	test('lists commands and topics without a name, as --help does', async () => {
		const {stdout, exitCode} = await help();
		expect(stdout).toMatch(/^ {2}run /m);
		for (const {name, help: meaning} of topics) {
			expect(stdout).toMatch(new RegExp(`^ {2}${name} +${meaning}$`, 'm'));
		}

		expect(exitCode).toBe(0);
	});

	test('says what was meant when there is no such name', async () => {
		const {stderr, exitCode} = await help('singals');
		expect(stderr).toBe('There is no help on "singals".\nHint: did you mean "signals"?');
		expect(exitCode).toBe(2);
		expect((await help('xyzzy')).stderr).toContain('Hint: delegate-tui help\n'.trimEnd());
	});
});
