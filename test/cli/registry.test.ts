import {chmodSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {builtIn} from '../../src/agents/profiles/profiles.ts';
import {loadConfig} from '../../src/cli/config/load.ts';
import {readRegistry} from '../../src/cli/config/registry.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const npx = (id: string, name: string, args: readonly string[] = []) => ({
	...{id, name: `The ${id}`, version: '1.2.3', description: 'An agent'},
	distribution: {npx: {package: name, args, env: {IT: 'is left out'}}},
});

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
		npx('../up', 'up'),
		{id: 'no-way', name: 'No way', version: '1'},
		'what',
	];
	expect((await readRegistry(withRegistry({agents}), ''))?.map(({id}) => id)).toEqual(['good']);
	expect(await readRegistry(temporaryFolder(), '')).toBeUndefined();
	await expect(readRegistry(withRegistry('<html>'), '')).rejects.toMatchObject({kind: 'usage'});
});

test('plans can name installed agents of the person’s own registry, and none of a repository’s', async () => {
	const userFolder = withRegistry({agents: [npx('gemini', 'node'), npx('shell', 'sh')]});
	const root = withRegistry({agents: [npx('theirs', 'theirs')]});
	const binary = {archive: 'https://example.org/sh.tgz', cmd: './bin/sh', args: ['acp']};
	const platforms = ['linux', 'darwin'].flatMap(system => [
		`${system}-x86_64`,
		`${system}-aarch64`,
	]);
	writeFileSync(
		join(userFolder, 'registry.json'),
		JSON.stringify({
			agents: ['gemini', 'shell'].map(id => ({
				...npx(id, ''),
				distribution: {binary: Object.fromEntries(platforms.map(name => [name, binary]))},
			})),
		}),
	);
	const {config} = await loadConfig(root, {userFolder});
	expect(Object.keys(config?.agents ?? {})).toEqual([...Object.keys(builtIn), 'shell']);
	expect(config?.agents.shell?.command).toEqual(['sh', 'acp']);
});

test('a file that is no registry keeps no plan from its agents', async () => {
	const {config} = await loadConfig(temporaryFolder(), {userFolder: withRegistry('<html>')});
	expect(Object.keys(config?.agents ?? {})).toEqual(Object.keys(builtIn));
});
