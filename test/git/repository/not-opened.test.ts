import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {notOpened} from '../../../src/git/repository/repository.ts';
import {git, hermeticHome, temporaryFolder} from '../../helpers/repository.ts';

const why = (cwd: string, environment: Readonly<Record<string, string>> = {}) => {
	const {status, stdout, stderr} = spawnSync('git', ['rev-parse', '--git-dir'], {
		cwd,
		env: {...process.env, ...environment},
	});
	return notOpened({code: status ?? -1, stdout, stderr: stderr.toString()});
};

test('where there is no repository, one can be made', () => {
	hermeticHome();
	expect(why(temporaryFolder()).hint).toContain('git init');
});

test('a repository of another owner is opened by git’s own way', () => {
	hermeticHome();
	const folder = temporaryFolder();
	git(folder, 'init', '--quiet');
	const {message, hint} = why(folder, {GIT_TEST_ASSUME_DIFFERENT_OWNER: '1', LC_ALL: 'C'});
	expect(message).toContain('dubious ownership');
	expect(hint).toBe(`If you trust its owner: git config --global --add safe.directory ${folder}`);
});
