import {mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Question} from '../../src/signals/index.ts';
import {seeAnswer} from '../../src/supervisor/requests/see-answer.ts';
import {temporaryFolder, write} from '../helpers/repository.ts';

const asking = (about: Partial<Question>): Question => ({
	question: 'Well?',
	options: [],
	required: true,
	...about,
});

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
	expect(await seeAnswer(asking({type: 'path'}), text, worktree(['src/**']))).toEqual({path});
});

test('an agent that only reads may be given any path of its worktree', async () => {
	const seen = await seeAnswer(asking({type: 'path'}), 'docs/limit.md', worktree([]));
	expect(seen).toEqual({path: 'there'});
});

test.each([
	[asking({type: 'regex', pattern: '^v\\d+$'}), 'v2\n', 'matches'],
	[asking({type: 'text', pattern: '^v'}), 'x', 'differs'],
	[asking({type: 'regex'}), 'a|b', 'differs'],
	[asking({type: 'regex'}), '(', 'no pattern'],
])(
	'a pattern is matched where the question has one, else the answer must be one',
	async (question, text, match) => {
		expect(await seeAnswer(question, text, worktree([]))).toEqual({match});
	},
);

test('of other answers nothing is looked up', async () => {
	expect(await seeAnswer(asking({type: 'number'}), '5', worktree([]))).toEqual({});
});
