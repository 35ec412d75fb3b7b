import {mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {seeAnswer} from '../../src/supervisor/merging/gather.ts';
import {questionOf} from '../helpers/question-of.ts';
import {temporaryFolder, write} from '../helpers/repository.ts';

const worktree = (allowed: readonly string[]) => {
	const tree = temporaryFolder();
	write(tree, {'src/limit.ts': '', 'docs/limit.md': '', '.git/config': ''});
	symlinkSync('/etc', join(tree, 'src/out'));
	mkdirSync(join(tree, 'docs/old'));
	return {tree, scope: {allowed, forbidden: ['src/secret/**']}};
};

test.each([
	['src/limit.ts', 'there'],
	['./src/../src/limit.ts\n', 'there'],
	['src', 'there'],
	['.', 'there'],
	['docs/old', 'there'],
	['src/none.ts', 'missing'],
	['docs/limit.md', 'not allowed'],
	['.git/config', 'global'],
	['../plan.yaml', 'elsewhere'],
	['/etc/passwd', 'elsewhere'],
	['src/out/passwd', 'elsewhere'],
	['src/\0', 'missing'],
])('the path %j is %s for an agent that may write below src', async (text, path) => {
	expect(await seeAnswer(questionOf({type: 'path'}), text, worktree(['src/**']))).toEqual({path});
});

test('an agent that only reads may be given any path of its worktree', async () => {
	const seen = await seeAnswer(questionOf({type: 'path'}), 'docs/limit.md', worktree([]));
	expect(seen).toEqual({path: 'there'});
});

test.each([
	[questionOf({type: 'regex', pattern: '^v\\d+$'}), 'v2\n', 'matches'],
	[questionOf({type: 'text', pattern: '^v'}), 'x', 'differs'],
	[questionOf({type: 'regex'}), 'a|b', 'differs'],
	[questionOf({type: 'regex'}), '(', 'no pattern'],
])(
	'a pattern is matched where the question has one, else the answer must be one',
	async (question, text, match) => {
		expect(await seeAnswer(question, text, worktree([]))).toEqual({match});
	},
);

test('of other answers nothing is looked up', async () => {
	expect(await seeAnswer(questionOf({type: 'number'}), '5', worktree([]))).toEqual({});
});
