import {chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {profiles} from '../../../src/agents/profiles/profiles.ts';
import {configFolder} from '../../../src/cli/config/load.ts';
import {checkAgents, loginOf, programVersion} from '../../../src/cli/doctor/agents.ts';
import type {DoctorFinding} from '../../../src/cli/doctor/config.ts';
import {findHere} from '../../../src/cli/here.ts';
import {agentVendors} from '../../../src/events/vendors.ts';
import {trust} from '../../helpers/project.ts';
import {hermeticHome, makeRepository, temporaryFolder} from '../../helpers/repository.ts';

beforeEach(() => {
	hermeticHome();
});

/** A folder of programs, and how to put one there. */
const makePrograms = () => {
	const folder = temporaryFolder();
	const add = (name: string, script: string): string => {
		const path = join(folder, name);
		mkdirSync(dirname(path), {recursive: true});
		writeFileSync(path, `#!/bin/sh\n${script}\n`);
		chmodSync(path, 0o755);
		return path;
	};

	/** As npm does it: a package with the program in it, and a link to that. */
	const install = (name: string, packageName: string, version: string): void => {
		const inside = join('node_modules', packageName);
		const program = add(join(inside, 'dist/index.js'), `touch ${folder}/ran`);
		writeFileSync(
			join(folder, inside, 'package.json'),
			JSON.stringify({name: packageName, version}),
		);
		symlinkSync(program, join(folder, name));
	};

	return {folder, add, install, ran: () => existsSync(join(folder, 'ran'))};
};

type Programs = ReturnType<typeof makePrograms>;

const lookAt = async (
	{folder}: Programs,
	environment: Readonly<Record<string, string>> = {},
	root?: string,
): Promise<readonly DoctorFinding[]> =>
	checkAgents({
		here: root === undefined ? undefined : await findHere(root),
		environment: {HOME: temporaryFolder(), PATH: `${folder}:/usr/bin:/bin`, ...environment},
	});

const findingOf = async (
	name: string,
	...words: Parameters<typeof lookAt>
): Promise<DoctorFinding | undefined> => (await lookAt(...words)).find(({check}) => check === name);

const {acp} = profiles.claude;

describe('an agent that is known', () => {
	test('is told with its version, which the package tells without being started', async () => {
		const programs = makePrograms();
		programs.install('claude-agent-acp', acp.package, acp.version);
		const found = await findingOf('claude', programs, {ANTHROPIC_API_KEY: 'secret'});
		expect(found).toMatchObject({
			level: 'good',
			facts: {version: acp.version, known: true, login: true, program: 'claude-agent-acp'},
		});
		expect(found?.text).toContain(`${acp.version}, as tried; logged in by ANTHROPIC_API_KEY`);
		expect(JSON.stringify(found)).not.toContain('secret');
		expect(programs.ran()).toBe(false);
	});

	test('is good at another version than the one that was tried, which is told', async () => {
		const programs = makePrograms();
		programs.install('codex-acp', profiles.codex.acp.package, '99.0.0');
		const found = await findingOf('codex', programs, {OPENAI_API_KEY: 'x'});
		expect(found).toMatchObject({level: 'good', facts: {version: '99.0.0', known: false}});
		expect(found?.text).toContain('99.0.0 (tried with 2.6.0)');
	});

	test('that can’t be kept to its place is to be installed again', async () => {
		const programs = makePrograms();
		programs.install('claude-agent-acp', acp.package, '0.49.0');
		expect(await findingOf('claude', programs, {ANTHROPIC_API_KEY: 'x'})).toMatchObject({
			level: 'warn',
			text: expect.stringContaining('0.49.0, which is too old'),
			hint: 'npm install -g @agentclientprotocol/claude-agent-acp@0.101.0',
		});
	});

	test.runIf(process.platform === 'linux')('that nobody has logged in to says how', async () => {
		const programs = makePrograms();
		programs.install('claude-agent-acp', acp.package, acp.version);
		expect(await findingOf('claude', programs)).toMatchObject({
			level: 'warn',
			text: expect.stringContaining('no login was found ('),
			hint: 'to log in, run `claude` and type /login, or set ANTHROPIC_API_KEY',
			facts: {login: false},
		});
	});

	test('whose login may be where nobody can look is not said to lack one', async () => {
		const programs = makePrograms();
		programs.install('gemini', profiles.gemini.acp.package, '0.61.0');
		expect(await findingOf('gemini', programs)).toMatchObject({
			level: 'good',
			text: expect.stringContaining('may be in the keychain'),
			facts: {login: null},
		});
	});

	test('that is not there is no fault, as long as there is another one', async () => {
		const programs = makePrograms();
		const none = await lookAt(programs);
		expect(none.map(({check, level}) => [check, level])).toEqual([
			...agentVendors.map(vendor => [vendor, 'absent']),
			['agents', 'warn'],
		]);
		expect(none[0]?.hint).toBe('npm install -g @agentclientprotocol/claude-agent-acp@0.101.0');
		programs.install('opencode', profiles.opencode.acp.package, '1.18.33');
		const one = await lookAt(programs);
		expect(one.map(({check}) => check)).toEqual([...agentVendors]);
		expect(one.filter(({level}) => level === 'warn')).toEqual([]);
	});

	test('is told as a printing agent, too, where that is another program', async () => {
		const programs = makePrograms();
		programs.add('codex', 'echo codex-cli 0.166.0');
		expect(await findingOf('codex-print', programs)).toMatchObject({facts: {version: '0.166.0'}});
	});
});

test('an agent of the config is looked for as it is started, and missed when it is not there', async () => {
	const programs = makePrograms();
	programs.add('there', 'exit 1');
	const root = makeRepository({
		'.delegate-tui.yaml': [
			'agents:',
			'  mine: {protocol: text, command: [there]}',
			'  gone: {protocol: acp, command: [not-there, --acp]}',
			`  moved: {extends: codex, env: {PATH: ${temporaryFolder()}}}`,
		].join('\n'),
	});
	trust({root, environment: process.env});
	const findings = await lookAt(programs, {}, root);
	const levels = new Map(findings.map(({check, level}) => [check, level]));
	expect(['mine', 'gone', 'moved'].map(name => levels.get(name))).toEqual(['good', 'warn', 'warn']);
	expect(findings.find(({check}) => check === 'gone')).toMatchObject({
		text: 'its program is not installed: no not-there was found',
		hint: 'install not-there, or correct "agents: gone" in the config',
	});
});

describe('a version that is asked of the program', () => {
	test('is asked in an empty home, and without a way out', async () => {
		const {add, folder} = makePrograms();
		const program = add(
			'agent',
			`env >${folder}/env; ls -A "$HOME" >${folder}/home; echo v1.2.3-rc.1`,
		);
		expect(await programVersion(program, {path: '/usr/bin:/bin'})).toBe('1.2.3-rc.1');
		const told = readFileSync(join(folder, 'env'), 'utf8');
		expect(told).toContain('HTTPS_PROXY=http://127.0.0.1:9\n');
		expect(told).not.toContain(`HOME=${process.env.HOME}\n`);
		expect(readFileSync(join(folder, 'home'), 'utf8')).toBe('');
	});

	test('is not known of one that does not answer in time, or not at all', async () => {
		const {add} = makePrograms();
		const path = '/usr/bin:/bin';
		const slow = add('slow', 'exec sleep 60');
		expect(await programVersion(slow, {path, patienceMs: 100})).toBeUndefined();
		expect(await programVersion(add('mute', 'exit 1'), {path})).toBeUndefined();
	});
});

describe('a login', () => {
	const signs = (home: string) =>
		agentVendors.map(
			vendor => [vendor, profiles[vendor].logins.files({home, environment: {}})[0] ?? ''] as const,
		);

	test.each(agentVendors)(
		'of %s is seen by its file, unless there is nothing in it',
		async vendor => {
			const HOME = temporaryFolder();
			const file = new Map(signs(HOME)).get(vendor) ?? '';
			mkdirSync(dirname(file), {recursive: true});
			writeFileSync(file, '{}\n');
			expect(await loginOf(profiles[vendor], {HOME})).toMatchObject({kind: 'not seen'});
			writeFileSync(file, '{"token": "secret"}\n');
			expect(await loginOf(profiles[vendor], {HOME})).toEqual({kind: 'seen', by: file});
		},
	);

	test('is looked for where the person has moved it', async () => {
		const [HOME, moved] = [temporaryFolder(), temporaryFolder()];
		const environment = {HOME, CLAUDE_CONFIG_DIR: moved, CODEX_HOME: moved};
		writeFileSync(join(moved, '.credentials.json'), '{"token": 1}');
		writeFileSync(join(moved, 'auth.json'), '{"token": 1}');
		expect(await loginOf(profiles.claude, environment)).toMatchObject({kind: 'seen'});
		expect(await loginOf(profiles.codex, environment)).toMatchObject({kind: 'seen'});
	});
});

test('a registry that can’t be read is a warning, with what fetches it', async () => {
	mkdirSync(configFolder(), {recursive: true});
	writeFileSync(join(configFolder(), 'registry.json'), '<html>');
	expect(await findingOf('registry', makePrograms())).toMatchObject({
		level: 'warn',
		text: expect.stringContaining('is not a registry of agents'),
		hint: expect.stringContaining('curl -f'),
	});
	expect((await lookAt(makePrograms())).length).toBeGreaterThan(1);
});
