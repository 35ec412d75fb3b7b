import {expect, test} from 'vitest';
import {
	expectCode,
	type GitResult,
	gitsWords,
	killedCode,
} from '../../../src/git/process/result.ts';

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
