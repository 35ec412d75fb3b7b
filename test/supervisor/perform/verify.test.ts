import {createHash} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {verify} from '../../../src/supervisor/perform/checks.ts';
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

test('a check installs no packages unasked', async () => {
	const command = 'test "$pnpm_config_verify_deps_before_run" = false';
	expect(await checked({'a.txt': 'a\n'}, command)).toMatchObject({ok: true});
});
