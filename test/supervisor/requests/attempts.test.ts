import {execFileSync, spawnSync} from 'node:child_process';
import {
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {profileOf} from '../../../src/agents/profiles/profiles.ts';
import type {McpServer, Subtask} from '../../../src/events/plan.ts';
import {forgetTrace, refusing, traced, triedIn} from '../../../src/supervisor/requests/attempts.ts';
import {makeRepository, script, temporaryFolder} from '../../helpers/repository.ts';

/** What a trace tells of commands that came to nothing. */
const tried = (gitTrace: string) => triedIn({gitTrace, refused: '/nowhere'});

/** A repository in which every git leaves a trace. */
const makeTraced = async () => {
	const root = makeRepository({'a.txt': 'a\n'});
	const trace = join(temporaryFolder(), 'trace.ndjson');
	const env = {...process.env, ...(await traced(trace))};
	/** Runs git, whatever comes of it. */
	const git = (...words: readonly string[]): void => {
		try {
			execFileSync('git', words, {cwd: root, env, stdio: 'ignore'});
		} catch {}
	};
	return {git, trace, root};
};

test('a push that git refuses is told once, by whatever name it is called', async () => {
	const {git, trace} = await makeTraced();
	git('push');
	expect(await tried(trace)).toEqual(['git push']);
	const {ino} = statSync(trace);
	await forgetTrace(trace);
	await traced(trace);
	expect(statSync(trace)).toMatchObject({ino, size: 0});
	git('-c', 'alias.out=push nowhere', 'out');
	expect(await tried(trace)).toEqual(['git push']);
});

test('what else an agent does with git is no push, even where it fails', async () => {
	const {git, trace} = await makeTraced();
	git('status');
	git('log', '--grep', 'push');
	git('checkout', 'push');
	git('stash', 'push');
	git('commit', '--message', 'push');
	expect(await tried(trace)).toEqual([]);
});

test('where the file should be, nothing that an agent puts there is followed', async () => {
	const trace = join(temporaryFolder(), 'trace.ndjson');
	symlinkSync('/dev/zero', trace);
	expect(await tried(trace)).toEqual([]);
	await forgetTrace(trace);
	expect(lstatSync(trace)).toMatchObject({size: 0});
	expect(lstatSync(trace).isFile()).toBe(true);
});

test.each([
	['it is only asked how it goes', ['push', '-h']],
	['its goal is a path above', ['push', '../bare.git', 'HEAD:main']],
	['its goal is a whole path', ['-c', 'a.b=c', 'push', '-o', 'x', '--force', '/nowhere/bare.git']],
	['its goal is a path below', ['push', '--repo', './build/bare.git']],
	['its goal is a file’s address', ['push', '--repo=file:///nowhere/bare.git']],
	['its goal is the folder itself', ['push', '--', '.', 'HEAD:main']],
])('a push is none to elsewhere where %s', async (_, words) => {
	const {git, trace} = await makeTraced();
	git(...words);
	expect(readFileSync(trace, 'utf8')).toContain('"name":"push"');
	expect(await tried(trace)).toEqual([]);
});

test('a push that another repository of this machine turns down is none', async () => {
	const {git, trace} = await makeTraced();
	const bare = join(temporaryFolder(), 'bare.git');
	git('init', '--bare', bare);
	git('push', bare, 'HEAD:main');
	git('commit', '--allow-empty', '--amend', '--message', 'another');
	git('push', bare, 'HEAD:main');
	expect(readFileSync(trace, 'utf8')).toMatch(/"event":"exit".*"code":1\b/);
	expect(await tried(trace)).toEqual([]);
});

test.each([
	['origin'],
	['https://me:pw@127.0.0.1:1/a.git'],
	['ssh://127.0.0.1:1/a.git'],
	['127.0.0.1:a/b.git'],
	['origin/x'],
])('a push to %s is one', async goal => {
	const {git, trace} = await makeTraced();
	git('-c', 'protocol.allow=never', 'push', '--force', goal, 'HEAD:main');
	expect(await tried(trace)).toEqual(['git push']);
});

test('every other call of another machine that comes to nothing is told by its name, and one of a folder is not', async () => {
	const {git, trace, root} = await makeTraced();
	const copy = join(temporaryFolder(), 'copy');
	git('clone', '--depth', '1', root, copy);
	git('clone', '-b', 'gone', 'x', copy);
	git('fetch', '--depth', '1', './gone');
	git('ls-remote', '/gone');
	expect(await tried(trace)).toEqual([]);
	git('-c', 'protocol.allow=never', 'pull', 'https://127.0.0.1:1/a.git');
	git('-c', 'protocol.allow=never', 'ls-remote', 'ssh://127.0.0.1:1/a.git');
	git('-c', 'protocol.allow=never', 'clone', '-b', 'main', '127.0.0.1:a.git', copy);
	expect(await tried(trace)).toEqual(['git fetch', 'git ls-remote', 'git clone']);
});

const text = (...command: readonly string[]) => ({protocol: 'text', command}) as const;
const acp = (...command: readonly string[]) => ({protocol: 'acp', command}) as const;

/** A folder of programs that leave a canary, and what an agent is started with whose `PATH` begins with it. */
const withPrograms = async (
	names: readonly string[],
	agent: Subtask['agent'],
	mcpServers: readonly McpServer[] = [],
) => {
	const [folder, refused] = [temporaryFolder(), join(temporaryFolder(), 'refused')];
	for (const name of names) {
		script(join(folder, name), `echo "${name} $1" >> ${folder}/ran`);
	}

	const environment = {PATH: `${folder}:${process.env.PATH}`};
	const {command} = agent;
	const launch = await refusing(refused, {command, environment}, {mcpServers}, profileOf(agent));
	const run = (line: string): string | null =>
		spawnSync('/bin/sh', ['-c', line], {env: launch.environment, encoding: 'utf8'}).stderr;
	const ran = () =>
		existsSync(join(folder, 'ran')) ? readFileSync(join(folder, 'ran'), 'utf8') : '';
	const laid = existsSync(refused)
		? readdirSync(refused).filter(name => !name.startsWith('.'))
		: [];
	return {folder, refused, launch, run, ran, laid};
};

test('an agent finds programs that refuse in the place of agents and of what reaches other machines', async () => {
	const programs = ['aider', 'codex', 'gh', 'delegate-tui'];
	const {folder, refused, launch, run, ran} = await withPrograms(programs, text('aider', '--yes'));
	expect(launch.command).toEqual([join(folder, 'aider'), '--yes']);
	for (const line of [
		'codex exec "a secret"',
		'aider',
		'gh pr create',
		'delegate-tui add "More"',
	]) {
		expect(run(`${line}; [ $? = 126 ] && echo refused >&2`)).toMatch(
			/^\S.*: no agent may.*\nrefused$/m,
		);
	}

	expect(ran()).toBe('');
	const gitTrace = join(refused, 'none');
	expect(await triedIn({gitTrace, refused})).toEqual(['codex', 'aider', 'gh', 'delegate-tui add']);
	run('delegate-tui status');
	expect(ran()).toBe('delegate-tui status\n');
});

test('programs that refuse stay for a process that is kept, without what was tried in an earlier turn', async () => {
	const agent = text('aider');
	const {refused, launch, run} = await withPrograms(['aider'], agent);
	run('gh pr create');
	const before = [refused, join(refused, '.tried')].map(path => statSync(path).ino);
	await refusing(refused, {...launch, command: agent.command}, {}, profileOf(agent));
	expect([refused, join(refused, '.tried')].map(path => statSync(path).ino)).toEqual(before);
	expect(await triedIn({gitTrace: join(refused, 'none'), refused})).toEqual([]);
	run('gh pr create');
	expect(await triedIn({gitTrace: join(refused, 'none'), refused})).toEqual(['gh']);
});

const ofClaude = {...text('claude', '-p'), stream: 'claude'} as const;
const server = {name: 'x', command: ['codex', 'mcp'], env: []};

test.each([
	['of a known agent', ofClaude, [], ['claude', 'codex', 'gh']],
	['of an adapter', {...acp('claude-agent-acp'), vendor: 'claude'} as const, [], ['codex', 'gh']],
	['that nobody knows', text('my-agent'), [], ['gh']],
	['that is not there', text('gone'), [], []],
	['with a server of tools that is one', ofClaude, [server], ['claude', 'gh']],
])('a program %s finds these', async (_, agent, servers, expected) => {
	const programs = ['claude', 'claude-agent-acp', 'my-agent'];
	const {laid} = await withPrograms(programs, agent, servers);
	expect(['claude', 'codex', 'gh'].filter(name => laid.includes(name))).toEqual(expected);
});

test('what an agent puts beside the file doesn’t stand before what it tells', async () => {
	const {git, trace} = await makeTraced();
	git('push');
	mkdirSync(`${trace}.taken`);
	expect(await tried(trace)).toEqual(['git push']);
});

test('nobody else may read the file, and what a lost turn left in it is not told as the next one’s', async () => {
	const {git, trace} = await makeTraced();
	git('-c', 'http.extraHeader=Authorization: secret', 'push');
	expect(statSync(trace).mode & 0o777).toBe(0o600);
	await traced(trace);
	expect(readFileSync(trace, 'utf8')).toBe('');
	expect(await tried(trace)).toEqual([]);
});

test('where no file can be made, nothing is written', async () => {
	const trace = join(temporaryFolder(), 'gone', 'trace.ndjson');
	expect(await traced(trace)).toEqual({});
});

test('a push with more options than any person types is one, and words that are none do no harm', async () => {
	const trace = join(temporaryFolder(), 'trace.ndjson');
	const told = (argv: readonly unknown[]): string =>
		[
			{event: 'start', sid: 'a', argv},
			{event: 'cmd_name', sid: 'a', name: 'push'},
			{event: 'exit', sid: 'a', code: 1},
		]
			.map(line => `${JSON.stringify(line)}\n`)
			.join('');
	const many = Array.from({length: 200_000}, () => '-x');
	writeFileSync(trace, told(['git', ...many, 'push', ...many]));
	expect(await tried(trace)).toEqual(['git push']);
	writeFileSync(trace, told([{toString: 0}]));
	expect(await tried(trace)).toEqual(['git push']);
});
