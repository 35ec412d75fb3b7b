import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {consult, openOracles} from '../../../src/conflicts/oracle/open-oracles.ts';
import {
	type CheckerBudget,
	type Oracle,
	wholeRepository,
} from '../../../src/conflicts/oracle/oracle.ts';
import {typescriptOracle} from '../../../src/conflicts/oracle/typescript.ts';
import {changes} from '../../../src/git/tree/changes.ts';
import {defined} from '../../../src/lib/values.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {type Sides, twoSides} from '../../helpers/two-sides.ts';

/** Nothing is small enough to be checked whole. */
const part = {whole: 0};

const sidesOf = async (sides: Sides) => {
	const {store, base, a, b, merge} = await twoSides(sides);
	return {store, trees: {base, a, b, merged: merge.tree}};
};

const opened = async (
	{store}: Awaited<ReturnType<typeof sidesOf>>,
	{budget = part, kept}: {readonly budget?: Partial<CheckerBudget>; readonly kept?: string} = {},
): Promise<Oracle> => {
	const oracle = await typescriptOracle.start({
		store,
		runsCode: false,
		budget: () => budget,
		...defined({kept}),
	});
	if (oracle === undefined) {
		throw new Error('TypeScript is not installed.');
	}

	onTestFinished(() => oracle.close());
	return oracle;
};

const {signal} = new AbortController();

const introduced = async (sides: Sides) => {
	const made = await sidesOf(sides);
	const {errors, covered} = await consult(await opened(made), made.trees, signal);
	return {errors: errors.map(({path, code}) => `${path} ${code}`), covered: [...covered].sort()};
};

const tsconfig = JSON.stringify({
	compilerOptions: {
		strict: true,
		moduleResolution: 'bundler',
		module: 'preserve',
		paths: {'#app/*': ['./src/*']},
	},
});

const mean = "import {half} from './half';\nimport {sum} from './sum';\n";

test('of a large tree the changed files and those that import them are checked, with all that they import', async () => {
	expect(
		await introduced({
			base: {
				'tsconfig.json': tsconfig,
				'src/number.ts': 'export type Amount = number;\n',
				'src/sum.ts':
					"import type {Amount} from './number';\nexport const sum = (all: Amount[]): Amount | undefined => all[0];\n",
				'src/half.ts': 'export const half = (x: number | undefined) => x;\n',
				'src/mean.ts': `${mean}export const mean = half(sum([1]));\n`,
				'src/apart.ts': 'export const wrong: string = 1;\n',
			},
			a: {'src/half.ts': 'export const half = (x: number | undefined | null) => x;\n'},
			b: {
				'src/sum.ts':
					"import type {Amount} from './number';\nexport const sum = (all: Amount[]): Amount => all[0] ?? '';\n",
			},
		}),
	).toEqual({errors: [], covered: ['src/half.ts', 'src/mean.ts', 'src/sum.ts']});
});

test('an unchanged file that only both sides together break is found, by an alias and by what exports again', async () => {
	const base = {
		'tsconfig.json': tsconfig,
		'src/lib/index.ts': "export * from './parts';\n",
		'src/lib/parts.ts': "export {one} from '#app/one';\nexport {take} from '../take';\n",
		'src/one.ts': 'export const one = (): number => 1;\n',
		'src/take.ts': 'export const take = (x: number | string) => x;\n',
		'src/use.ts': "import {one, take} from '#app/lib';\nexport const used = take(one());\n",
		'src/apart.ts': 'export const apart = 1;\n',
	};
	const {errors, covered} = await introduced({
		base,
		a: {'src/one.ts': 'export const one = (): number | string => 1;\n'},
		b: {'src/take.ts': 'export const take = (x: number) => x;\n'},
	});
	expect(errors).toEqual(['src/use.ts TS2345']);
	expect(covered).toEqual([
		...['src/lib/index.ts', 'src/lib/parts.ts', 'src/one.ts', 'src/take.ts', 'src/use.ts'],
	]);
});

test('files that differ only in the comments at their top are not checked, unless a comment directs the checker', async () => {
	const names = Array.from({length: 60}, (_, number) => `src/file-${number}.ts`);
	const headed = (header: string, some: readonly string[]) =>
		Object.fromEntries(some.map(name => [name, `${header}\nexport const x: number = 1;\n`]));
	const base = {'tsconfig.json': tsconfig, ...headed('// (c) 2025', names)};
	expect(
		await introduced({
			base,
			a: {
				...headed('/* (c) 2026\n * All rights reserved. */\n', names.slice(10)),
				...headed('', names.slice(0, 7)),
				...headed('// @ts-nocheck', ['src/file-7.ts']),
				...headed("/* (c) 2026 */ export const y: string = '';", ['src/file-8.ts']),
			},
			b: {'src/file-9.ts': 'export const x: string = 1;\n'},
		}),
	).toEqual({
		errors: [],
		covered: ['src/file-7.ts', 'src/file-8.ts', 'src/file-9.ts'],
	});
});

test('a file too large for source is not searched for comments at its top', async () => {
	const names = Array.from({length: 60}, (_, number) => `src/file-${number}.ts`);
	const large = (year: number) => `// (c) ${year}\n${'//\n'.repeat(2 ** 19)}`;
	const headed = (year: number) => ({
		...Object.fromEntries(names.map(name => [name, `// (c) ${year}\n`])),
		'src/large.ts': large(year),
	});
	const {covered} = await introduced({
		base: {'tsconfig.json': tsconfig, ...headed(2025)},
		a: headed(2026),
		b: {'src/other.ts': ''},
	});
	expect(covered).toEqual(['src/large.ts', 'src/other.ts']);
});

test('without a project’s file only what is concerned is a project', async () => {
	const {errors, covered} = await introduced({
		base: {'add.ts': 'export const add = (a: number) => a;\n', 'apart.ts': '', 'use.ts': ''},
		a: {'add.ts': 'export const add = (a: number, b: number) => a + b;\n'},
		b: {'use.ts': "import {add} from './add.ts';\nadd(3);\n"},
	});
	expect(errors).toEqual(['use.ts TS2554']);
	expect(covered).toEqual(['add.ts', 'use.ts']);
});

test('one comparison after another, also of another base, is answered from what is known', async () => {
	const first = await sidesOf({
		base: {'add.ts': 'export const add = (a: number) => a;\n', 'use.ts': ''},
		a: {'add.ts': 'export const add = (a: number, b: number) => a + b;\n'},
		b: {'use.ts': "import {add} from './add.ts';\nadd(3);\n"},
	});
	const oracle = await opened(first);
	const {a, b, merged} = first.trees;
	expect((await consult(oracle, first.trees, signal)).errors).toHaveLength(1);
	// The new base has the import that the first one lacked.
	const later = {base: b, a: merged, b, merged};
	const {errors, covered} = await consult(oracle, later, signal);
	expect([errors, [...covered].sort()]).toEqual([[], ['add.ts', 'use.ts']]);
	expect((await oracle.check(a, signal, [b, a, merged])).covered).toContain('add.ts');
	expect((await consult(oracle, first.trees, signal)).errors).toHaveLength(1);
});

describe('the lines that bring in modules', () => {
	const addition: Sides = {
		base: {
			'add.ts': 'export const add = (a: number) => a;\n',
			'use.ts': "import {add} from './add.ts';\nadd(3);\n",
		},
		a: {'add.ts': 'export const add = (a: number, b: number) => a + b;\n'},
		b: {'use.ts': "import {add} from './add.ts';\nadd(4);\n"},
	};

	/** Compares in a process of its own, and returns which files were checked, and of which tree the lines are kept. */
	const compared = async (made: Awaited<ReturnType<typeof sidesOf>>, kept: string) => {
		const oracle = await opened(made, {kept});
		const {covered} = await consult(oracle, made.trees, signal);
		await oracle.close();
		return {covered: [...covered].sort(), of: readFileSync(kept, 'utf8').split('\n')[0]};
	};

	test('are kept for the next process, which reads only what changed since', async () => {
		const made = await sidesOf(addition);
		const kept = join(temporaryFolder(), 'cache/lines');
		const {base, b, merged} = made.trees;
		const whole = {covered: ['add.ts', 'use.ts'], of: base};
		expect(await compared(made, kept)).toEqual(whole);
		const later = {...made, trees: {base: b, a: merged, b, merged}};
		expect(await compared(later, kept)).toEqual(whole);
	});

	test('are searched to their end in a repository with many', async () => {
		const many = Array.from({length: 5000}, (_, at) => `import './${'m'.repeat(50)}${at}';\n`);
		const base = {...addition.base, 'many.js': many.join('')};
		const made = await sidesOf({...addition, base, b: {'other.ts': ''}});
		const {covered} = await compared(made, join(temporaryFolder(), 'lines'));
		expect(covered).toEqual(['add.ts', 'other.ts', 'use.ts']);
	});

	test.each([
		['of another repository', `${'1'.repeat(40)}\n`],
		['that nobody wrote like this', 'lines\n'],
	])('are looked for again in place of some %s', async (_, found) => {
		const made = await sidesOf(addition);
		const kept = join(temporaryFolder(), 'lines');
		writeFileSync(kept, found);
		expect(await compared(made, kept)).toEqual({
			...{covered: ['add.ts', 'use.ts'], of: made.trees.base},
		});
	});
});

test('more than may be read is told with its number, and checked once it may be; a smaller comparison is checked as it is', async () => {
	const {store, base, a, b, merge} = await twoSides({
		base: {'add.ts': 'export const add = (a: number) => a;\n', 'use.ts': '', 'x.ts': ''},
		a: {'add.ts': 'export const add = (a: number, b: number) => a + b;\n', 'x.ts': 'export {};\n'},
		b: {'use.ts': "import {add} from './add.ts';\nadd(3);\n"},
	});
	await using oracles = openOracles(
		{store, runsCode: false, budget: () => ({whole: 0, files: 2})},
		{plugins: [typescriptOracle], now: () => 0, patienceMs: 60_000},
	);
	const side = async (commit: string) => ({commit, changes: await changes(store, base, commit)});
	const comparison = {
		...{store, base, merge, merged: merge.tree, signal},
		...{a: await side(a), b: await side(b)},
	};
	expect(await oracles.confirm(comparison, [])).toEqual([]);
	expect(oracles.runs()).toMatchObject([
		{failed: '3 files would have to be read, more than the limit.', isOverBudget: true},
	]);
	const small = {...comparison, a: await side(b), merged: b};
	const ran: (string | undefined)[] = [];
	await oracles.confirm(small, [], {onVerdict: ({run}) => void ran.push(run.failed)});
	expect(ran).toEqual([undefined]);
	expect(oracles.runs()).toMatchObject([{failed: expect.any(String), isOverBudget: true}]);
	const whole = {budget: wholeRepository({})};
	expect(await oracles.confirm(comparison, [], whole)).toMatchObject([{rule: 'A6'}]);
});
