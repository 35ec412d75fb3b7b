import {chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {builtIn} from '../../src/agents/profiles/profiles.ts';
import {loadConfig} from '../../src/cli/config/load.ts';
import {readRegistry} from '../../src/cli/config/registry.ts';
import {parsePlan} from '../../src/rules/plan/parse.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const npx = (id: string, name: string, args: readonly string[] = []) => ({
	...{id, name: `The ${id}`, version: '1.2.3', description: 'An agent'},
	distribution: {npx: {package: name, args, env: {IT: 'is left out'}}},
});

/** An agent that is a program for all systems. */
const binary = (id: string, cmd: string) => {
	const program = {archive: 'https://example.org/it.tgz', cmd, args: ['acp']};
	const systems = ['linux-x86_64', 'linux-aarch64', 'darwin-x86_64', 'darwin-aarch64'];
	return {
		...npx(id, ''),
		distribution: {binary: Object.fromEntries(systems.map(system => [system, program]))},
	};
};

/** Writes a registry, and returns its folder. */
const withRegistry = (text: unknown): string => {
	const folder = temporaryFolder();
	const written = typeof text === 'string' ? text : JSON.stringify(text);
	writeFileSync(join(folder, 'registry.json'), written);
	return folder;
};

/** Installs programs as npm does: links in a folder of the `PATH` into that of a package. */
const installed = (programs: Readonly<Record<string, string>>): string => {
	const root = temporaryFolder();
	mkdirSync(join(root, 'bin'));
	for (const [name, folder] of Object.entries(programs)) {
		mkdirSync(join(root, 'lib', folder), {recursive: true});
		const file = join(root, 'lib', folder, 'cli.js');
		writeFileSync(file, '#!/bin/sh\n');
		chmodSync(file, 0o755);
		symlinkSync(file, join(root, 'bin', name));
	}

	return join(root, 'bin');
};

test('an agent of the registry is started by its program where its package is installed', async () => {
	const folder = withRegistry({
		version: '1.0.0',
		agents: [
			npx('auggie', '@augmentcode/auggie@1.2.3', ['--acp']),
			npx('other', 'other-agent@2.0.0'),
			{...npx('fast', ''), distribution: {uvx: {package: 'fast-acp==0.4', args: ['-x']}}},
		],
	});
	const path = installed({
		aug: 'node_modules/@augmentcode/auggie',
		'fast-acp': 'uv/tools/fast-acp/bin',
	});
	expect(await readRegistry(folder, path)).toEqual([
		{
			...{id: 'auggie', title: 'The auggie', version: '1.2.3'},
			install: 'npm install -g @augmentcode/auggie@1.2.3',
			agent: {protocol: 'acp', command: ['aug', '--acp'], by: 'your config'},
		},
		{
			...{id: 'other', title: 'The other', version: '1.2.3'},
			install: 'npm install -g other-agent@2.0.0',
		},
		{
			...{id: 'fast', title: 'The fast', version: '1.2.3'},
			install: 'uv tool install fast-acp==0.4',
			agent: {protocol: 'acp', command: ['fast-acp', '-x'], by: 'your config'},
		},
	]);
});

test('of several programs of a package the one that is named like it starts the agent, else none', async () => {
	const folder = withRegistry({agents: [npx('multi', '@some/multi@1.0.0'), npx('two', 'two')]});
	const path = installed({
		'aaa-admin': 'node_modules/@some/multi',
		multi: 'node_modules/@some/multi',
		one: 'node_modules/two',
		other: 'node_modules/two',
	});
	const [multi, two] = (await readRegistry(folder, path)) ?? [];
	expect(multi?.agent?.command).toEqual(['multi']);
	expect(two?.agent).toBeUndefined();
});

test.each(['./sh', 'bin/bash', 'python3.12', 'env', 'node'])(
	'%s, which runs anything, starts no agent of the registry',
	async cmd => {
		const path = temporaryFolder();
		const program = join(path, cmd.split('/').at(-1) ?? '');
		writeFileSync(program, '#!/bin/sh\n');
		chmodSync(program, 0o755);
		const [found] = (await readRegistry(withRegistry({agents: [binary('some', cmd)]}), path)) ?? [];
		expect(found?.id).toBe('some');
		expect(found?.agent).toBeUndefined();
	},
);

test('a make that is known is kept to its place under the name of the registry, too', async () => {
	const folder = withRegistry({
		agents: [npx('claude-acp', '@agentclientprotocol/claude-agent-acp')],
	});
	const path = installed({
		'claude-agent-acp': 'node_modules/@agentclientprotocol/claude-agent-acp',
	});
	expect(await readRegistry(folder, path)).toMatchObject([{agent: builtIn.claude}]);
});

test('entries that can’t be read, or whose install could do more, are left out', async () => {
	const agents = [
		npx('good', 'good'),
		npx('bad', 'bad; touch /tmp/canary'),
		npx('option', '--global'),
		{...npx('option', ''), distribution: {uvx: {package: '-x', args: []}}},
		npx('../up', 'up'),
		{id: 'no-way', name: 'No way', version: '1'},
		'what',
	];
	expect((await readRegistry(withRegistry({agents}), ''))?.map(({id}) => id)).toEqual(['good']);
	expect(await readRegistry(temporaryFolder(), '')).toBeUndefined();
	await expect(readRegistry(withRegistry('<html>'), '')).rejects.toMatchObject({kind: 'usage'});
});

test('plans can name installed agents of the person’s own registry, and none of a repository’s', async () => {
	const userFolder = withRegistry({agents: [binary('gemini', './git'), binary('own', './git')]});
	const root = withRegistry({agents: [npx('theirs', 'theirs')]});
	const {config} = await loadConfig(root, {userFolder});
	expect(Object.keys(config?.agents ?? {})).toEqual([...Object.keys(builtIn), 'own']);
	expect(config?.agents.own?.command).toEqual(['git', 'acp']);
});

test('a file that is no registry keeps no plan from its agents', async () => {
	const {config} = await loadConfig(temporaryFolder(), {userFolder: withRegistry('<html>')});
	expect(Object.keys(config?.agents ?? {})).toEqual(Object.keys(builtIn));
});

test('one that can’t be read is told of where a plan names an agent that nobody knows', async () => {
	const userFolder = withRegistry('<html>');
	const {config} = await loadConfig(temporaryFolder(), {userFolder});
	const file = join(userFolder, 'registry.json');
	const why = `${file} is not a registry of agents.`;
	expect(config?.unreadRegistry).toBe(why);
	const {problems} = parsePlan('version: 1\ntask: T\nagents: [{subtask: S, agent: auggie}]\n', {
		file: 'plan.yaml',
		profiles: config?.agents ?? {},
		unreadRegistry: config?.unreadRegistry,
	});
	expect(problems).toMatchObject([
		{
			message: 'There is no agent profile `auggie`.',
			hint: expect.stringContaining(`${why} Its agents are not known. Known profiles: claude`),
		},
	]);
	rmSync(file);
	mkdirSync(file);
	const {config: other} = await loadConfig(temporaryFolder(), {userFolder});
	expect(other?.unreadRegistry).toBe(`${file} can’t be read (EISDIR).`);
});
