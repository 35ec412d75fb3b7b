import {expect, test} from 'vitest';
import {consult} from '../../../src/conflicts/oracle/open-oracles.ts';
import {defaultBudget, type Oracle} from '../../../src/conflicts/oracle/oracle.ts';
import {typescriptOracle} from '../../../src/conflicts/oracle/typescript.ts';
import type {Store} from '../../../src/git/store/store.ts';
import {type Sides, twoSides} from '../../helpers/two-sides.ts';

const withTrees = async (
	sides: Sides,
	use: (oracle: Oracle, trees: Parameters<typeof consult>[1], store: Store) => Promise<void>,
) => {
	const {store, base, a, b, merge} = await twoSides(sides);
	const oracle = await typescriptOracle.start({store, runsCode: false});
	if (oracle === undefined) {
		throw new Error('TypeScript is not installed.');
	}

	try {
		await use(oracle, {base, a, b, merged: merge.tree}, store);
	} finally {
		await oracle.close();
	}
};

const introduced = async (sides: Sides) => {
	let found: readonly unknown[] = [];
	await withTrees(sides, async (oracle, trees) => {
		found = (await consult(oracle, trees, new AbortController().signal)).errors;
	});
	return found;
};

const tsconfig = JSON.stringify({compilerOptions: {strict: true, moduleResolution: 'bundler'}});

test('a call with the arguments of before is told with its line, and no error that a parent has', async () => {
	expect(
		await introduced({
			base: {
				'tsconfig.json': tsconfig,
				'src/add.ts': 'export const add = (a: number) => a;\n',
				'src/old.ts': 'export const old: string = 1;\n',
			},
			a: {'src/add.ts': 'export const add = (a: number, b: number) => a + b;\n'},
			b: {'src/use.ts': "import {add} from './add';\n// é 🙂\nexport const three = add(3);\n"},
		}),
	).toEqual([
		{path: 'src/use.ts', line: 3, code: 'TS2554', text: 'Expected 2 arguments, but got 1.'},
	]);
});

test('what the language itself declares is known', async () => {
	const lists = 'export const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0);\n';
	await withTrees(
		{base: {'a.ts': lists}, a: {'b.ts': ''}, b: {'c.ts': ''}},
		async (oracle, {base}) => {
			const {errors} = await oracle.check(base, new AbortController().signal);
			expect(errors).toEqual([]);
		},
	);
});

test('two sides that each use a package that is not there break nothing together', async () => {
	const uses = (name: string) => `import {${name}} from 'package';\nexport const x = ${name};\n`;
	expect(
		await introduced({
			base: {'tsconfig.json': tsconfig, 'a.ts': 'export {};\n'},
			a: {'one.ts': uses('one')},
			b: {'two.ts': uses('two')},
		}),
	).toEqual([]);
});

/** A workspace of two packages, of which one begins to use what the other one loses. */
const workspaceOf = (entry: string): Sides => ({
	base: {
		'package.json': '{"workspaces": ["packages/*"]}',
		'tsconfig.json': tsconfig,
		'packages/api/package.json': JSON.stringify({name: '@shop/api', exports: entry}),
		'packages/api/src/index.ts': "export * from './price';\n",
		'packages/api/src/price.ts': 'export const price = 1;\n',
		'packages/web/package.json': '{"name": "@shop/web"}',
	},
	a: {'packages/api/src/price.ts': 'export const total = 1;\n'},
	b: {'packages/web/use.ts': "import {price} from '@shop/api';\nexport const x = price;\n"},
});

test('what one package of a workspace takes from another is known without an install', async () => {
	expect(await introduced(workspaceOf('./src/index.ts'))).toEqual([
		{
			...{path: 'packages/web/use.ts', line: 1, code: 'TS2305'},
			text: "Module '\"@shop/api\"' has no exported member 'price'.",
		},
	]);
});

test('a package that a side adds is known, even if a tree without it was checked before', async () => {
	const {base, a, b} = workspaceOf('./src/index.ts');
	const manifest = 'packages/api/package.json';
	const {[manifest]: added = '', ...without} = base;
	await withTrees({base: without, a: {...a, [manifest]: added}, b}, async (oracle, trees) => {
		const {signal} = new AbortController();
		await oracle.check(trees.base, signal);
		expect((await oracle.check(trees.merged, signal)).errors).toMatchObject([{code: 'TS2305'}]);
		await oracle.check(trees.base, signal);
		expect((await oracle.check(trees.b, signal)).errors).toMatchObject([{code: 'TS2307'}]);
	});
});

test('the package at the root of a workspace is known, and crates are none of its packages', async () => {
	const base = {
		'Cargo.toml': '[workspace]\nmembers = ["engine"]\n',
		'engine/Cargo.toml': '[package]\nname = "engine"\n',
		'package.json': '{"name": "shop", "exports": "./src/index.ts", "workspaces": ["web"]}',
		'src/index.ts': 'export const price = 1;\n',
		'tsconfig.json': tsconfig,
		'web/crate.ts': "import {x} from 'engine';\nexport const y = x;\n",
		'web/package.json': '{"name": "web"}',
		'web/use.ts': "import {price} from 'shop';\nexport const x: string = price;\n",
	};
	await withTrees({base, a: {'a.ts': ''}, b: {'b.ts': ''}}, async (oracle, trees) => {
		const {errors, covered} = await oracle.check(trees.base, new AbortController().signal);
		expect(errors.filter(({path}) => path === 'web/use.ts')).toMatchObject([{code: 'TS2322'}]);
		expect([...covered]).toContain('web/crate.ts');
	});
});

test('files that use a package which only a build makes are not covered, nor those that import them', async () => {
	const sides = workspaceOf('./dist/index.js');
	const further = {
		'packages/web/package.json': '{"name": "@shop/web", "exports": "./index.ts"}',
		'packages/web/index.ts': "export {x} from './use';\n",
		'packages/shop/package.json': '{"name": "@shop/shop"}',
		'packages/shop/sell.ts': "import {x} from '@shop/web';\nexport const y: string = x;\n",
	};
	const base = {...sides.base, ...further};
	await withTrees({...sides, base}, async (oracle, {merged}) => {
		const {covered} = await oracle.check(merged, new AbortController().signal);
		expect([...covered].filter(path => path.endsWith('.ts')).toSorted()).toEqual([
			...['packages/api/src/index.ts', 'packages/api/src/price.ts'],
		]);
	});
});

test('a composite project is checked in part without an error about the files that the check leaves out', async () => {
	const composite = JSON.stringify({
		compilerOptions: {strict: true, composite: true, moduleResolution: 'bundler'},
		include: ['src/**/*'],
	});
	const base = {
		'tsconfig.json': composite,
		'src/index.ts': "export {price} from './price';\nexport * from './total';\n",
		'src/price.ts': 'export const price: number = 1;\n',
		'src/total.ts': 'export const total: number = 1;\n',
	};
	const sides = {base, a: {'src/price.ts': 'export const price: string = 1;\n'}, b: {'b.md': ''}};
	await withTrees(sides, async (oracle, {base, a}) => {
		const budget = {...defaultBudget, whole: 1};
		const {errors, isPart} = await oracle.check(a, new AbortController().signal, [base, a], budget);
		expect(isPart).toBe(true);
		expect(errors).toMatchObject([{path: 'src/price.ts', code: 'TS2322'}]);
	});
});

test('an error names a file as the repository does', async () => {
	const base = {
		'tsconfig.json': tsconfig,
		'src/price.ts': 'export const price = 1;\n',
		'src/use.ts': "import * as all from './price';\nexport const x: string = all;\n",
	};
	await withTrees({base, a: {'a.ts': ''}, b: {'b.ts': ''}}, async (oracle, {base}) => {
		const {errors} = await oracle.check(base, new AbortController().signal);
		expect(errors.map(({text}) => text)).toEqual([
			`Type 'typeof import("src/price")' is not assignable to type 'string'.`,
		]);
	});
});

test('a repository without a project is checked strictly, and one with several is checked whole', async () => {
	const base = {'src/name.ts': 'export type Name = {first: string};\n', 'src/b.ts': 'export {};\n'};
	const a = {'src/name.ts': 'export type Name = {given: string};\n'};
	const b = {
		'src/b.ts':
			"import type {Name} from './name';\nexport const of = (name: Name) => name.first;\n",
	};
	const error = expect.objectContaining({path: 'src/b.ts', line: 2, code: 'TS2339'});
	expect(await introduced({base, a, b})).toEqual([error]);
	expect(
		await introduced({
			base: {...base, 'tsconfig.json': '{"files": []}', 'src/tsconfig.json': tsconfig},
			a,
			b,
		}),
	).toEqual([error]);
});

test('a check that is no longer wanted ends at once, and the next one is made all the same', async () => {
	await withTrees(
		{base: {'a.ts': 'export const a: string = 1;\n'}, a: {'b.ts': ''}, b: {'c.ts': ''}},
		async (oracle, {base, merged}) => {
			const {signal} = new AbortController();
			await oracle.check(base, signal);
			const stopped = new AbortController();
			const check = oracle.check(merged, stopped.signal);
			stopped.abort(new Error('Its tree is old.'));
			await expect(check).rejects.toThrow('Its tree is old.');
			const {errors} = await oracle.check(merged, signal);
			expect(errors).toMatchObject([{path: 'a.ts', code: 'TS2322'}]);
		},
	);
});
