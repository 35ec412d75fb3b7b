import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {script, temporaryFolder} from '../../helpers/repository.ts';

/** What is asked once a process is asked again in each test. */
beforeEach(() => vi.resetModules());

const withPath = (path: string): void => {
	vi.stubEnv('PATH', path);
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
};

test('on a PATH without a git that is told', async () => {
	withPath('.:/nowhere/at/all');
	const {gitExecutable} = await import('../../../src/git/process/executable.ts');
	expect(() => gitExecutable()).toThrow(
		expect.objectContaining({kind: 'missing', message: 'Git was not found on the PATH.'}),
	);
});

test('a git that can’t merge without a checkout is too old, and that is told', async () => {
	const folder = temporaryFolder();
	// As one before 2.31 does with an option that it does not know.
	script(
		join(folder, 'git'),
		'case "$*" in *version) echo git version 2.37.9;; *) printf "%s\\n" --path-format=absolute . .git .git objects sha1 c0ffee;; esac',
	);
	withPath(folder);
	expect(execFileSync('/bin/sh', ['-c', 'git version']).toString()).toContain('2.37.9');
	const {requireGitVersion} = await import('../../../src/git/process/version.ts');
	const tooOld = {
		kind: 'missing',
		message: 'Git 2.37.9 is too old: 2.38 or newer is needed.',
		hint: 'Install a newer git.',
	};
	await expect(requireGitVersion()).rejects.toMatchObject(tooOld);
	const {openRepository} = await import('../../../src/git/repository/repository.ts');
	await expect(openRepository(folder)).rejects.toMatchObject(tooOld);
});
