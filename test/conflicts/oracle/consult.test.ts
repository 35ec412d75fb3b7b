import {expect, test} from 'vitest';
import {consult, withCache} from '../../../src/conflicts/oracle/open-oracles.ts';
import type {Diagnosis, Oracle} from '../../../src/conflicts/oracle/oracle.ts';
import {Failure} from '../../../src/lib/failure.ts';

const trees = {base: 'base', a: 'a', b: 'b', merged: 'merged'};
const wrong: Diagnosis = {path: 'a.ts', line: 1, code: 'TS1', text: 'wrong'};

/** A checker that notes which trees it was asked about. */
const checker = (errors: Readonly<Record<string, readonly Diagnosis[]>>) => {
	const asked: string[] = [];
	const oracle: Oracle = {
		version: '1',
		check: async tree => {
			asked.push(tree);
			return {errors: errors[tree] ?? [], covered: new Set()};
		},
		close: async () => {},
	};
	return {asked, oracle};
};

const {signal} = new AbortController();

const introduced = async (oracle: Oracle) => (await consult(oracle, trees, signal)).errors;

test('where the merged tree has no error that the base lacks, the sides are not asked', async () => {
	const {asked, oracle} = checker({base: [wrong], merged: [wrong]});
	expect(await introduced(oracle)).toEqual([]);
	expect(asked).toEqual(['base', 'merged']);
});

test('what the merged tree alone has is told, and what one side has by itself is not', async () => {
	expect(await introduced(checker({merged: [wrong]}).oracle)).toEqual([wrong]);
	expect(await introduced(checker({b: [wrong], merged: [wrong]}).oracle)).toEqual([]);
});

test('a tree that was checked lately is not checked again', async () => {
	const {asked, oracle} = checker({merged: [wrong]});
	const once = withCache(oracle);
	await consult(once, trees, signal);
	await consult(once, trees, signal);
	expect(asked).toEqual(['base', 'merged', 'a', 'b']);
});

test('a part that was checked within a small budget is checked again within a larger one', async () => {
	const {asked, oracle} = checker({});
	const once = withCache({
		...oracle,
		check: async (...question) => ({...(await oracle.check(...question)), isPart: true}),
	});
	await once.check('base', signal, ['base'], {files: 10});
	await once.check('base', signal, ['base'], {files: 10});
	await once.check('base', signal, ['base'], {files: 1000});
	expect(asked).toEqual(['base', 'base']);
});

test('what a checker could not say of a tree once it is asked again', async () => {
	const {oracle} = checker({});
	let fails = true;
	const once = withCache({
		...oracle,
		check: async (tree, signal) => {
			if (fails) {
				throw new Failure('missing', 'There is no room.');
			}

			return oracle.check(tree, signal);
		},
	});
	await expect(once.check('base', signal)).rejects.toThrow('no room');
	fails = false;
	expect(await once.check('base', signal)).toMatchObject({errors: []});
});
