import {expect, test} from 'vitest';
import {type TestRun, testTogether} from '../../../src/conflicts/checks/breaks-together.ts';

const pair = {
	base: 'base',
	a: {commit: 'a', paths: ['src/cart.js']},
	b: {commit: 'b', paths: ['test/cart.test.js']},
	merged: 'merged',
	paths: ['src/cart.js', 'test/cart.test.js'],
	changed: async (side: 'a' | 'b', named: readonly string[]) => [
		{side, path: side === 'a' ? 'src/cart.js' : 'test/cart.test.js', line: 7, text: `${named}`},
	],
};

const output = '$ node --test\nnot ok 1 - adds (test/cart.test.js:4:1)\n# fail 1';

/** Runs that fail on those commits, each time or the first time only. */
const failing = async (red: readonly string[], passesAgain = false) => {
	const asked: string[] = [];
	const run = async (commit: string, options?: {readonly again: true}): Promise<TestRun> => {
		asked.push(options?.again ? `${commit} again` : commit);
		return {ok: !red.includes(commit) || (passesAgain && options?.again === true), output};
	};
	return {verdict: await testTogether(pair, run), asked};
};

test('what fails on the merge alone is run twice and blocks, with its place and lines of both sides', async () => {
	const {verdict, asked} = await failing(['merged']);
	expect(asked).toEqual(['merged', 'a', 'b', 'merged again']);
	expect(verdict).toMatchObject({
		kind: 'found',
		finding: {
			rule: 'T4',
			path: 'test/cart.test.js',
			blocking: true,
			confirmed: {by: 'the tests'},
			evidence: [
				{side: 'b', line: 4},
				{side: 'a', path: 'src/cart.js', line: 7, text: 'test/cart.test.js'},
				{side: 'b', line: 7},
			],
		},
	});
});

test('what passes the second time is a note', async () => {
	const {verdict} = await failing(['merged'], true);
	expect(verdict).toMatchObject({kind: 'found', finding: {blocking: false, confidence: 'low'}});
});

test.each([
	[['merged', 'a'], ['a']],
	[
		['merged', 'a', 'b'],
		['a', 'b'],
	],
	[['merged', 'a', 'b', 'base'], ['base']],
])('what fails on %j is charged to %j', async (red, who) => {
	expect((await failing(red)).verdict).toEqual({kind: 'red alone', who});
});

test('what passes is asked of nobody else', async () => {
	expect(await failing([])).toEqual({verdict: {kind: 'green'}, asked: ['merged']});
});
