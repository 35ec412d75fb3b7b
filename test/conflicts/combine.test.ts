import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Combination, type CombinationParts, combine} from '../../src/conflicts/combine.ts';
import type {PathResolution} from '../../src/conflicts/input.ts';
import {openRepository} from '../../src/git/repository/repository.ts';
import {openStore} from '../../src/git/store/store.ts';
import {
	commitAll,
	type Files,
	git,
	makeRepository,
	temporaryFolder,
	write,
} from '../helpers/repository.ts';

const before = {'a.txt': 'base\n', 'b.txt': 'base\n'};

/** A repository with the target on top of what it starts with, and what the test needs to put work on it together. */
const makeTarget = async (changed: Files, start: Files = before) => {
	const root = makeRepository(start);
	const base = git(root, 'rev-parse', 'HEAD');
	const on = (start: string, files: Files, removed: readonly string[] = []): string => {
		git(root, 'checkout', '--quiet', '--detach', start);
		for (const path of removed) {
			rmSync(join(root, path), {recursive: true});
		}

		write(root, files);
		return commitAll(root);
	};
	const tip = on(base, changed);
	const store = await openStore(join(temporaryFolder(), 'store.git'), await openRepository(root));
	const put = (
		inputs: CombinationParts['inputs'],
		resolutions: readonly PathResolution[],
	): Promise<Combination> =>
		combine(store, {tip, base, inputs, resolutions, at: '2026-11-21T20:00:00Z'});
	const fileOf = (result: Combination, path: string): string =>
		git(store.gitDir, 'show', `${result.kind === 'clean' ? result.tree : 'conflicts'}:${path}`);
	return {base, on, put, fileOf};
};

/** The second agent stands on the first one, and both change the line that the target has changed. */
const makeChain = async () => {
	const {base, on, put, fileOf} = await makeTarget({'a.txt': 'target\n'});
	const first = on(base, {'a.txt': 'first\n', 'first.txt': 'first\n'});
	const second = on(first, {'a.txt': 'second\n', 'second.txt': 'second\n'});
	const inputs = [
		{owners: ['AGT-001'], base, commit: first},
		{owners: ['AGT-002'], base: first, commit: second},
	];
	return {base, on, put, fileOf, first, second, inputs};
};

const choose = (
	winner: readonly string[],
	[a, b]: readonly [readonly string[], readonly string[]],
): PathResolution => ({path: 'a.txt', a, b, choice: 'choose-one', winner});

const sidesOf = (result: Combination) =>
	result.kind === 'clean' ? [] : result.conflicts.map(({path, a, b}) => ({path, a, b}));

const one = [['target'], ['AGT-001']] as const;
const two = [['target', 'AGT-001'], ['AGT-002']] as const;

test('work that stands on another’s collides with all that changed the path before it, by the lines of both', async () => {
	const {put, inputs} = await makeChain();
	expect(sidesOf(await put(inputs, []))).toEqual([
		{path: 'a.txt', a: one[0], b: one[1]},
		{path: 'a.txt', a: two[0], b: two[1]},
	]);
	const result = await put(inputs.slice(0, 1), []);
	expect(result.kind === 'clean' ? [] : result.conflicts.map(({evidence}) => evidence)).toEqual([
		[
			{side: 'a', path: 'a.txt', line: 1, text: 'target'},
			{side: 'b', path: 'a.txt', line: 1, text: 'first'},
		],
	]);
});

test('choosing a side of both takes effect, in whatever order', async () => {
	const {put, fileOf, inputs} = await makeChain();
	for (const [lower, upper, content] of [
		[one[0], two[1], 'second'],
		[one[1], two[1], 'second'],
		[one[0], two[0], 'target'],
		[one[1], two[0], 'first'],
	] as const) {
		const decided = [choose(lower, one), choose(upper, two)];
		for (const resolutions of [decided, decided.toReversed()]) {
			const result = await put(inputs, resolutions);
			expect(sidesOf(result)).toEqual([]);
			expect(fileOf(result, 'a.txt')).toBe(content);
			expect(fileOf(result, 'first.txt')).toBe('first');
			expect(fileOf(result, 'second.txt')).toBe('second');
		}
	}
});

test('a chosen side takes effect when what it stands on was left out of the merge', async () => {
	const {put, fileOf, inputs} = await makeChain();
	const sides = [['target'], ['AGT-002']] as const;
	expect(sidesOf(await put(inputs.slice(1), []))).toEqual([
		{path: 'a.txt', a: sides[0], b: sides[1]},
	]);
	const result = await put(inputs.slice(1), [choose(['AGT-002'], sides)]);
	expect(sidesOf(result)).toEqual([]);
	expect(fileOf(result, 'a.txt')).toBe('second');
});

test('a chosen deletion takes effect, too', async () => {
	const {on, put, fileOf, first, inputs} = await makeChain();
	const removed = on(first, {'second.txt': 'second\n'}, ['a.txt']);
	const all = [...inputs.slice(0, 1), {owners: ['AGT-002'], base: first, commit: removed}];
	const result = await put(all, [choose(one[0], one), choose(two[1], two)]);
	expect(sidesOf(result)).toEqual([]);
	expect(() => fileOf(result, 'a.txt')).toThrow();
	expect(fileOf(result, 'second.txt')).toBe('second');
});

test('work that stands on the chosen side comes on top of it without being asked about', async () => {
	const {on, put, fileOf, second, inputs} = await makeChain();
	const third = on(second, {'a.txt': 'third\n'});
	const all = [...inputs, {owners: ['AGT-003'], base: second, commit: third}];
	const result = await put(all, [choose(one[0], one), choose(two[1], two)]);
	expect(sidesOf(result)).toEqual([]);
	expect(fileOf(result, 'a.txt')).toBe('third');
});

test('what collides with a chosen side later is told as colliding with its owner alone', async () => {
	const {base, on, put, fileOf, inputs} = await makeChain();
	const other = on(base, {'a.txt': 'other\n'});
	const all = [...inputs, {owners: ['AGT-004'], base, commit: other}];
	const resolutions = [choose(one[0], one), choose(two[1], two)];
	const sides = [['AGT-002'], ['AGT-004']] as const;
	expect(sidesOf(await put(all, resolutions))).toEqual([{path: 'a.txt', a: sides[0], b: sides[1]}]);
	for (const [winner, content] of [
		[sides[0], 'second'],
		[sides[1], 'other'],
	] as const) {
		const result = await put(all, [...resolutions, choose(winner, sides)]);
		expect(sidesOf(result)).toEqual([]);
		expect(fileOf(result, 'a.txt')).toBe(content);
	}
});

describe('where one has a file in the place of a folder, in which two others changed a file', () => {
	const path = 'notes/one.txt';
	const text = (first: string, last: string): string => [first, ...'-----', last].join('\n');
	const sides = {a: ['AGT-001', 'AGT-002'], b: ['AGT-003']};
	const edits: PathResolution = {path, ...sides, choice: 'choose-one', winner: sides.a};

	const makeReplaced = async () => {
		const start = {...before, [path]: text('a', 'z')};
		const {base, on, put, fileOf} = await makeTarget({'b.txt': 'target\n'}, start);
		const inputs = [
			{owners: ['AGT-001'], base, commit: on(base, {[path]: text('FIRST', 'z')})},
			{owners: ['AGT-002'], base, commit: on(base, {[path]: text('a', 'LAST')})},
			{owners: ['AGT-003'], base, commit: on(base, {notes: 'a file'}, ['notes'])},
		];
		const found = await put(inputs, []);
		const conflicts = found.kind === 'clean' ? [] : found.conflicts;
		const met = conflicts.find(conflict => conflict.path !== path);
		expect(conflicts.map(conflict => conflict.path)).toEqual([path, met?.path].toSorted());
		expect(sidesOf(found)).toMatchObject([sides, sides]);
		return {
			put: (resolutions: readonly PathResolution[]) => put(inputs, resolutions),
			fileOf,
			met: met?.path ?? '',
			file: met?.stages.b ?? null,
		};
	};

	test('the edits that win stay, though the file got another name by hand', async () => {
		const {put, fileOf, met, file} = await makeReplaced();
		const files = [
			{path: 'notes', entry: null},
			{path: 'notes.txt', entry: file},
		];
		const result = await put([{path: met, ...sides, choice: 'manual', files}, edits]);
		expect(sidesOf(result)).toEqual([]);
		expect(fileOf(result, path)).toBe(text('FIRST', 'LAST'));
		expect(fileOf(result, 'notes.txt')).toBe('a file');
	});

	test('the file is not lost where only the edits were chosen', async () => {
		const {put, met} = await makeReplaced();
		expect(sidesOf(await put([edits]))).toContainEqual({path: met, ...sides});
	});

	test('the edits stay once the folder wins, too', async () => {
		const {put, fileOf, met} = await makeReplaced();
		const folder = {...edits, path: met, gives: [met, 'notes']};
		for (const resolutions of [
			[edits, folder],
			[folder, edits],
		]) {
			const result = await put(resolutions);
			expect(sidesOf(result)).toEqual([]);
			expect(fileOf(result, path)).toBe(text('FIRST', 'LAST'));
		}
	});
});
