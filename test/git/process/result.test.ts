import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	expectCode,
	type GitResult,
	gitsWords,
	killedCode,
	lineOf,
} from '../../../src/git/process/result.ts';
import {user} from '../../../src/git/process/user.ts';
import {git, makeRepository, temporaryFolder} from '../../helpers/repository.ts';

const ended = (code: number, stderr = ''): GitResult => ({code, stdout: Buffer.alloc(0), stderr});

test.each([
	['its complaint', ended(128, 'warning: old\nfatal: no such ref\nhelp\n'), 'no such ref'],
	['its first line where nothing is named a complaint', ended(1, '\nCONFLICT\nhelp\n'), 'CONFLICT'],
	[
		'the first of a list',
		ended(1, 'error: These would be lost:\n\ta.txt\n\tb.txt\n'),
		'These would be lost: a.txt',
	],
	[
		'its complaint behind its progress',
		ended(128, 'Preparing worktree\nUpdating files:   1% (1/99)\rfatal: no room\n'),
		'no room',
	],
	['its code where it said nothing', ended(3), 'exit code 3'],
	['that it was killed', ended(killedCode), 'it was killed'],
])('what git says is %s', (_, result, words) => {
	expect(gitsWords(result)).toBe(words);
});

test('a failure is told by the command, not by its options', () => {
	const failed = (...args: readonly string[]) => expectCode(args, ended(3));
	expect(() => failed('-z', 'merge', 'main')).toThrow('git merge failed: exit code 3');
	expect(() => failed('--version')).toThrow(/^git failed: exit code 3$/);
	expect(expectCode(['merge'], ended(3), [3]).code).toBe(3);
});

test('a git that a half-made worktree keeps from its work is told with a hint, which is right', async () => {
	const root = makeRepository({'a.txt': 'a'});
	git(root, 'worktree', 'add', '--quiet', join(temporaryFolder(), 'half'));
	const commonDir = join(root, '.git/worktrees/half/commondir');
	writeFileSync(commonDir, '');
	const list = ['worktree', 'list'];
	await expect(user(root, list)).rejects.toMatchObject({
		message: expect.stringContaining('worktrees/half/commondir'),
		hint: expect.stringContaining('write "../.." to that file'),
	});
	writeFileSync(commonDir, '../..\n');
	git(root, 'worktree', 'remove', '-f', '-f', 'half');
	expect(lineOf(await user(root, list))).not.toContain('half');
});
