import {expect, test} from 'vitest';
import {compare, withSide} from '../../src/conflicts/compare.ts';
import {type OracleRun, openOracles} from '../../src/conflicts/oracle/open-oracles.ts';
import {typescriptOracle} from '../../src/conflicts/oracle/typescript.ts';
import {type Files, git} from '../helpers/repository.ts';
import {twoSides} from '../helpers/two-sides.ts';

/** Compares two sides by reading and by TypeScript; notes that stop nothing are left out. */
const checked = async (base: Files, one: Files, other: Files) => {
	const {store, a, b} = await twoSides({base, a: one, b: other});
	await using oracles = openOracles(
		{store, runsCode: false},
		{plugins: [typescriptOracle], now: () => performance.now(), patienceMs: 60_000},
	);
	const runs: OracleRun[] = [];
	const {findings, comparisons} = await compare(
		store,
		{a, b},
		{
			signal: new AbortController().signal,
			oracles,
			onVerdict: ({run}) => void runs.push(run),
		},
	);
	const blocking = findings.filter(finding => finding.blocking);
	return {
		runs,
		findings,
		found: blocking.map(({rule, path, confirmed}) => ({rule, path, says: confirmed?.text})),
		heldAt: (path: string) =>
			comparisons.map(({merged}) => git(store.gitDir, 'show', `${merged}:${path}`)),
	};
};

const before = {
	'notes.txt': 'one\n',
	'add.ts': 'export const add = (a: number): number => a;\n',
	'use.ts': 'export {};\n',
};

const wider = {
	'notes.txt': 'one of a\n',
	'add.ts': 'export const add = (a: number, b: number): number => a + b;\n',
};

test('a type checker confirms what breaks beside a text that git can’t merge', async () => {
	const {found, runs} = await checked(before, wider, {
		'notes.txt': 'one of b\n',
		'use.ts': "import {add} from './add.ts';\nadd(3);\n",
	});
	expect(found).toEqual([
		{rule: 'F1', path: 'notes.txt', says: undefined},
		{rule: 'A2', path: 'use.ts', says: 'TS2554: Expected 2 arguments, but got 1.'},
	]);
	expect(runs.map(({failed}) => failed)).toEqual([undefined, undefined]);
});

test('what a checker has against one side alone of what collides is not told', async () => {
	const {found} = await checked(
		{...before, 'use.ts': "import {add} from './add.ts';\nexport const three: number = add(3);\n"},
		{
			'add.ts': 'export const add = (a: number): string => String(a);\n',
			'use.ts': "import {add} from './add.ts';\nexport const three: string = add(3);\n",
		},
		{
			'add.ts': 'export const add = (a: number): bigint => BigInt(a);\n',
			'use.ts': "import {add} from './add.ts';\nexport const three: bigint = add(3);\n",
		},
	);
	expect(found.map(({rule, path}) => `${rule} ${path}`)).toEqual(['F1 add.ts', 'F1 use.ts']);
});

test('source is looked at with the lines of one side and then of the other; anything else whole', async () => {
	const lines = (first: string, last: string) => `${first}\n\n\n\n${last}\n`;
	const {heldAt} = await checked(
		{'a.ts': lines('let one = 0;', 'let two = 0;'), 'a.txt': lines('0', '0')},
		{'a.ts': lines('let one = 1;', 'let two = 1;'), 'a.txt': lines('1', '1')},
		{'a.ts': lines('let one = 0;', 'let two = 2;'), 'a.txt': lines('0', '2')},
	);
	expect(heldAt('a.ts')).toEqual([
		lines('let one = 1;', 'let two = 1;').trim(),
		lines('let one = 1;', 'let two = 2;').trim(),
	]);
	expect(heldAt('a.txt')).toEqual([lines('1', '1').trim(), lines('0', '2').trim()]);
});

test('a file that holds marks of its own is looked at whole, once as each side has it', async () => {
	const own = 'const text = `\n<<<<<<< mine\n`;\n\n\n\n';
	const {heldAt} = await checked(
		{'a.ts': `${own}let one = 0;\n\n\n\nlet two = 0;\n`},
		{'a.ts': `${own}let one = 1;\n\n\n\nlet two = 1;\n`},
		{'a.ts': `${own}let one = 2;\n\n\n\nlet two = 0;\n`},
	);
	expect(heldAt('a.ts')).toEqual([
		`${own}let one = 1;\n\n\n\nlet two = 1;`,
		`${own}let one = 2;\n\n\n\nlet two = 0;`,
	]);
});

test('what one side removed in the very lines about which git asks is found, with the side that it depends on', async () => {
	const {findings} = await checked(
		{...before, 'add.ts': 'export const add = (a: number): number => a;\n'},
		{'add.ts': 'export const plus = (a: number): number => a;\n'},
		{
			'add.ts': 'export const add = (a: number): number => a + 0;\n',
			'use.ts': "import {add} from './add.ts';\nadd(3);\n",
		},
	);
	expect(findings).toMatchObject([
		{rule: 'F1', path: 'add.ts'},
		{
			rule: 'I2',
			path: 'use.ts',
			blocking: true,
			keeping: 'a',
			confirmed: {by: expect.stringMatching(/^TypeScript/)},
		},
	]);
	expect(withSide(findings, {a: 'ours', b: 'theirs'}).map(({summary}) => summary)).toEqual([
		expect.stringMatching(/add\.ts/),
		'use.ts imports add from ./add.ts, but the other side removed or renamed it there, if the lines of ours are kept.',
	]);
});
