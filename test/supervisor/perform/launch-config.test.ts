import {mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {AgentCommand, AgentVendor} from '../../../src/events/plan.ts';
import {
	launchConfig,
	riskyFileFor,
	toolsIn,
} from '../../../src/supervisor/perform/start/launch-config.ts';
import {guideFor} from '../../../src/supervisor/perform/start/prompt-for.ts';
import {makeStore} from '../../git/world.ts';
import {subtask} from '../../helpers/plan.ts';
import {type Files, git, temporaryFolder} from '../../helpers/repository.ts';

const over = (vendor: AgentVendor, more: object = {}): AgentCommand => ({
	protocol: 'acp',
	command: [vendor],
	vendor,
	...more,
});

const folderWith = (...files: readonly string[]): string => {
	const folder = temporaryFolder();
	for (const file of files) {
		mkdirSync(dirname(join(folder, file)), {recursive: true});
		writeFileSync(join(folder, file), file);
	}

	return folder;
};

/** The folder of an agent in whose worktree there are such files. */
const tree = (...files: readonly string[]) => ({
	tree: folderWith(...files),
	launch: join(temporaryFolder(), 'launch'),
});

describe('an agent that is made ready for a start', () => {
	it('is started as it is when its vendor is not known', async () => {
		const agent: AgentCommand = {protocol: 'text', command: ['sh', 'agent.sh']};
		const environment = {PATH: '/bin'};
		expect(await launchConfig({subtask: subtask('AGT-001', {agent})}, tree(), environment)).toEqual(
			{
				command: ['sh', 'agent.sh'],
				environment,
			},
		);
	});

	it('is judged by what the project keeps for it in its worktree, each time', async () => {
		const codex = {subtask: subtask('AGT-001', {agent: over('codex')})};
		expect(await launchConfig(codex, tree('.codex/readme.md'), {})).toMatchObject({
			command: ['codex'],
			install: 'npm install -g @agentclientprotocol/codex-acp@2.6.0',
			quirks: {mode: 'workspace-write', login: expect.stringContaining('codex login')},
		});
		await expect(launchConfig(codex, tree('.codex/config.toml'), {})).rejects.toMatchObject({
			kind: 'refused',
		});
		const trusting = {subtask: subtask('AGT-001', {agent: over('codex', {trust: 'project'})})};
		expect(await launchConfig(trusting, tree('.codex/config.toml'), {})).toMatchObject({
			command: ['codex'],
		});
	});

	it.each([
		['claude', [], {}, 'sure'],
		['gemini', [], {}, 'sure'],
		['gemini', ['.env'], {}, 'none'],
		['gemini', ['.env'], {trust: 'project'}, 'sure'],
	] as const)('%s beside %j, %j, is told of tools: %s', async (vendor, files, more, tools) => {
		expect(await toolsIn({agent: over(vendor, more)}, folderWith(...files))).toBe(tools);
	});

	it.each([
		['claude', 'maybe'],
		['codex', 'maybe'],
		['opencode', 'maybe'],
		['gemini', 'none'],
	] as const)('%s, where it prints, is told of tools: %s', async (vendor, tools) => {
		const agent = {protocol: 'text', command: [vendor], stream: vendor} as const;
		expect(await toolsIn({agent}, folderWith())).toBe(tools);
	});

	it('is told where the tools are when its vendor is not known and it prints', async () => {
		const agent = {protocol: 'text', command: ['sh']} as const;
		expect(await toolsIn({agent}, folderWith())).toBe('told');
	});

	it('can only read when its scope allows nothing', async () => {
		const scope = {allowed: [], forbidden: []};
		const reader = {subtask: subtask('AGT-001', {agent: over('codex'), scope})};
		expect((await launchConfig(reader, tree(), {})).quirks?.mode).toBe('read-only');
	});

	it('keeps its environment, with what its vendor needs laid over', async () => {
		const gemini = {subtask: subtask('AGT-001', {agent: over('gemini', {model: 'm'})})};
		const {command, environment} = await launchConfig(gemini, tree(), {PATH: '/bin', TOKEN: 't'});
		expect(command.slice(0, 3)).toEqual(['gemini', '--model', 'm']);
		expect(environment).toMatchObject({PATH: '/bin', GEMINI_CLI_NO_RELAUNCH: 'true', TOKEN: 't'});
	});

	it('finds the files that it is started with beside its worktree', async () => {
		const folder = tree();
		const gemini = {subtask: subtask('AGT-001', {agent: over('gemini')})};
		const {command} = await launchConfig(gemini, folder, {});
		const policy = command[command.indexOf('--admin-policy') + 1] ?? '';
		expect(dirname(policy)).toBe(folder.launch);
		expect(readFileSync(policy, 'utf8')).toContain('decision = "ask_user"');
	});

	it('of Codex has the person’s home of settings, and one without its rules where it has any', async () => {
		const codex = {subtask: subtask('AGT-001', {agent: over('codex')})};
		const plain = folderWith('.codex/config.toml');
		expect((await launchConfig(codex, tree(), {HOME: plain})).environment).not.toHaveProperty(
			'CODEX_HOME',
		);

		const CODEX_HOME = folderWith(
			'auth.json',
			'sessions/1',
			'state.sqlite',
			'state.sqlite-wal',
			'rules/my.rules',
		);
		const folder = tree();
		for (const _ of ['its first start', 'another start']) {
			const {environment} = await launchConfig(codex, folder, {HOME: plain, CODEX_HOME});
			const own = environment.CODEX_HOME ?? '';
			expect(readdirSync(own).toSorted()).toEqual(['auth.json', 'sessions', 'state.sqlite']);
			expect(readFileSync(join(own, 'sessions/1'), 'utf8')).toBe('sessions/1');
		}
	});

	it('of Claude Code is told how old it may be, and keeps the signals in mind', async () => {
		const {quirks} = await launchConfig(
			{subtask: subtask('AGT-001', {agent: over('claude')})},
			tree(),
			{},
		);
		expect(quirks?.oldest?.version).toBe('0.100.0');
		expect(quirks?.reminder).toContain('[COMPLETION_REPORT]');
	});
});

describe('the guide of a project', () => {
	/** A project with such files, and the guide that an agent of a vendor is given there. */
	const guidesIn = async (files: Files, prepare = (_: string): void => {}) => {
		const {root, store} = await makeStore(files);
		prepare(root);
		git(root, 'add', '--all');
		git(root, 'commit', '--quiet', '--allow-empty', '--message', 'guides');
		const base = git(root, 'rev-parse', 'HEAD').trim();
		const workspace = {phase: 'ready', base, baseline: base, onto: [], conflicts: []} as const;
		return (agent: AgentCommand) =>
			guideFor({store}, {subtask: subtask('AGT-001', {agent}), workspace});
	};

	it('names what it imports and the guides further down', async () => {
		const guide = await guidesIn({
			'CLAUDE.md': 'Follow @docs/style.md and @./none.md; mail me@docs/style.md',
			'docs/style.md': 'short',
			'src/api/CLAUDE.md': 'for the api',
		});
		expect((await guide(over('claude')))?.further).toEqual(['docs/style.md', 'src/api/CLAUDE.md']);
	});

	it('is passed on to an agent that does not read it by itself', async () => {
		const guide = await guidesIn({
			'CLAUDE.md': 'for claude',
			'AGENTS.md': 'for all',
			'GEMINI.md': 'for gemini',
		});
		const claude = {path: 'CLAUDE.md', text: 'for claude'};
		expect(await guide(over('claude'))).toEqual(claude);
		expect(await guide(over('gemini'))).toEqual({path: 'GEMINI.md', text: 'for gemini'});
		expect(await guide(over('opencode'))).toEqual({path: 'AGENTS.md', text: 'for all'});
		expect(await guide(over('codex'))).toBeUndefined();
		expect(await guide({protocol: 'text', command: ['agent']})).toBeUndefined();
	});

	it('may be a link to another one, but to nothing elsewhere', async () => {
		const link = (goal: string) => (root: string) => symlinkSync(goal, join(root, 'CLAUDE.md'));
		const linked = await guidesIn({'AGENTS.md': 'for all'}, link('AGENTS.md'));
		expect(await linked(over('claude'))).toEqual({path: 'CLAUDE.md', text: 'for all'});
		const strange = await guidesIn({'a.txt': ''}, link('/etc/hostname'));
		expect(await strange(over('claude'))).toBeUndefined();
	});

	it('is not there in a project that has none', async () => {
		expect(await (await guidesIn({'a.txt': ''}))(over('claude'))).toBeUndefined();
	});
});

it('is kept from a folder where what lies above it in its repository would be run', async () => {
	const profile = {riskyFiles: ['.codex/config.toml']};
	const folder = folderWith('.codex/config.toml', 'made/.git/HEAD', 'made/src/a.txt');
	const src = join(folder, 'made/src');
	expect(await riskyFileFor(src, profile)).toBe(undefined);
	writeFileSync(join(folder, 'made/.risky'), '');
	expect(await riskyFileFor(src, {riskyFiles: ['.risky']})).toBe(join(folder, 'made/.risky'));
	expect(await riskyFileFor(folder, profile)).toBe(join(folder, '.codex/config.toml'));
});
