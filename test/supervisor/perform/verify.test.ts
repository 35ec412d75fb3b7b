import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {type AddressInfo, createServer} from 'node:net';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {findContainment} from '../../../src/lib/process/containment.ts';
import {runCheck} from '../../../src/supervisor/merging/check-tree.ts';
import {verify} from '../../../src/supervisor/perform/checks.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {write} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

test('a check describes its log, removes its worktree and those that were left before, and keeps logs', async () => {
	const {world, state} = await makeSupervised({'a.txt': 'a\n'}, {verify: ['cat a.txt']});
	const left = world.folder.verify(0);
	const own = world.folder.verify(state.seq);
	write(left.path, {'tree/a.txt': 'a\n'});
	write(join(left.log, '..'), {'0.log': 'log\n'});

	const commit = state.session?.base ?? '';
	const [ended] = await verify(world, state, {
		key: {do: 'verify', commit, since: 0},
		do: 'verify',
		commit,
		tree: commit,
	});
	const log = readFileSync(own.log);
	expect(log.toString()).toBe('$ cat a.txt\na\n');
	expect(ended).toMatchObject({
		kind: 'verify.ended',
		ok: true,
		log: {bytes: log.length, sha256: createHash('sha256').update(log).digest('hex')},
	});
	expect([own.path, left.path].filter(existsSync)).toEqual([]);
	expect(existsSync(left.log)).toBe(true);
});

test('what is withheld from agents is withheld from their code in a check', async () => {
	vi.stubEnv('SSH_AUTH_SOCK', '/run/keys');
	onTestFinished(() => void vi.unstubAllEnvs());
	const ask = 'echo "$SSH_AUTH_SOCK, $GIT_CONFIG_KEY_0 $GIT_CONFIG_VALUE_0"';
	const {world, state} = await makeSupervised({'a.txt': 'a\n'}, {verify: [ask]});
	const commit = state.session?.base ?? '';
	await verify(world, state, {
		key: {do: 'verify', commit, since: 0},
		do: 'verify',
		commit,
		tree: commit,
	});
	const log = readFileSync(world.folder.verify(state.seq).log, 'utf8');
	expect(log.split('\n')[1]).toBe(', protocol.allow never');
});

/** Runs the check of a plan on a repository with these files. */
const checked = async (files: Readonly<Record<string, string>>, command: string) => {
	const {world, state} = await makeSupervised(files, {verify: [command]});
	const commit = state.session?.base ?? '';
	const [ended] = await verify(world, state, {
		key: {do: 'verify', commit, since: 0},
		do: 'verify',
		commit,
		tree: commit,
	});
	return ended;
};

test('conflict markers in a lock file fail the check, whatever its commands say', async () => {
	const marked = `a: 1\n${'<'.repeat(7)} ours\nb: 1\n${'='.repeat(7)}\nb: 2\n${'>'.repeat(7)} theirs\n`;
	expect(
		await checked({'packages/a/pnpm-lock.yaml': marked, 'notes.md': marked}, 'true'),
	).toMatchObject({
		ok: false,
		commands: [{command: 'look for conflict markers in packages/a/pnpm-lock.yaml', code: 1}],
	});
	expect(await checked({'pnpm-lock.yaml': 'a: 1\n', 'notes.md': marked}, 'true')).toMatchObject({
		ok: true,
	});
});

test('a lock file is checked with this machine’s network, where its registry is, and not with the check’s own', async () => {
	const registry = createServer().listen(0, '127.0.0.1');
	onTestFinished(() => void registry.close());
	await once(registry, 'listening');
	const {port} = registry.address() as AddressInfo;
	const reach = `'${process.execPath}' -e 'require("node:net").connect(${port}, "127.0.0.1").on("connect", () => process.exit()).on("error", () => process.exit(1))'`;
	const {world: made, state} = await makeSupervised({'a.txt': 'a\n'}, {verify: ['true']});
	const world = {...made, containment: await findContainment()};
	const outcome = await runCheck(world, requireSession(state), {
		name: 1,
		commit: state.session?.base ?? '',
		installs: [reach],
		signal: new AbortController().signal,
	});
	expect(outcome.commands).toEqual([
		{command: reach, code: 0},
		{command: 'true', code: 0},
	]);
});

test('a check installs no packages unasked', async () => {
	const command = 'test "$pnpm_config_verify_deps_before_run" = false';
	expect(await checked({'a.txt': 'a\n'}, command)).toMatchObject({ok: true});
});
