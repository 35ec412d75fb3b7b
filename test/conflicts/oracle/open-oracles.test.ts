import {setTimeout} from 'node:timers/promises';
import {expect, test} from 'vitest';
import type {Comparison} from '../../../src/conflicts/finding.ts';
import {type Confirmed, openOracles} from '../../../src/conflicts/oracle/open-oracles.ts';
import {type OraclePlugin, OverBudget} from '../../../src/conflicts/oracle/oracle.ts';
import {typescriptOracle} from '../../../src/conflicts/oracle/typescript.ts';
import {changes} from '../../../src/git/tree/changes.ts';
import {Failure} from '../../../src/lib/failure.ts';
import type {Files} from '../../helpers/repository.ts';
import {twoSides} from '../../helpers/two-sides.ts';

const compared = async (start: Files, one: Files, other: Files): Promise<Comparison> => {
	const {store, base, a, b, merge} = await twoSides({base: start, a: one, b: other});
	return {
		store,
		base,
		a: {commit: a, changes: await changes(store, base, a)},
		b: {commit: b, changes: await changes(store, base, b)},
		merge,
		merged: merge.tree,
		signal: new AbortController().signal,
	};
};

const breaking = () =>
	compared(
		{'add.ts': 'export const add = (a: number) => a;\n', 'use.ts': 'export {};\n', 'x.md': ''},
		{'add.ts': 'export const add = (a: number, b: number) => a + b;\n'},
		{'use.ts': "import {add} from './add.ts';\nadd(3);\n"},
	);

const open = ({store}: Comparison, plugin: OraclePlugin, patienceMs = 60_000) => {
	let time = 0;
	const now = () => {
		time += 5;
		return time;
	};
	return openOracles({store, runsCode: false}, {plugins: [plugin], now, patienceMs});
};

/** Records the reasons of runs without a result. */
const toldBy = () => {
	const told: (string | undefined)[] = [];
	return {told, onVerdict: ({run}: Confirmed) => void told.push(run.failed)};
};

test('a merge that is clean to git and red to TypeScript is told with its error and both lines', async () => {
	const comparison = await breaking();
	const oracles = open(comparison, typescriptOracle);
	try {
		expect(await oracles.confirm(comparison, [])).toEqual([
			expect.objectContaining({
				type: 'API_CONFLICT',
				path: 'use.ts',
				blocking: true,
				evidence: [
					{
						side: 'a',
						path: 'add.ts',
						line: 1,
						text: 'export const add = (a: number, b: number) => a + b;',
					},
					{side: 'b', path: 'use.ts', line: 2, text: 'add(3);'},
				],
				confirmed: {
					by: expect.stringMatching(/^TypeScript \d/),
					text: 'TS2554: Expected 2 arguments, but got 1.',
				},
			}),
		]);
		expect(oracles.runs()).toEqual([
			{name: 'TypeScript', version: expect.stringMatching(/^\d/), ms: 5},
		]);
	} finally {
		await oracles[Symbol.asyncDispose]();
	}
});

test('where packages are missing, what is wrong for want of them is not called red', async () => {
	const comparison = await compared(
		{
			'uses.ts': "import {p} from 'package';\nexport const q = p.map(one => one);\n",
			'broken.ts': 'export const = 1;\n',
		},
		{'x.ts': 'export const x = 1;\n'},
		{'y.ts': 'export const y = 1;\n'},
	);
	const oracles = open(comparison, typescriptOracle);
	try {
		await oracles.confirm(comparison, []);
		expect(oracles.red().map(({path}) => path)).toEqual(['broken.ts']);
		expect(oracles.runs()).toMatchObject([{name: 'TypeScript', lacksPackages: true}]);
	} finally {
		await oracles[Symbol.asyncDispose]();
	}
});

test('a checker is not asked where one side changed nothing that it serves', async () => {
	const comparison = await compared({'a.ts': '', 'b.md': ''}, {'a.ts': 'a'}, {'b.md': 'b'});
	const oracles = open(comparison, {
		...typescriptOracle,
		start: () => Promise.reject(new Error('asked')),
	});
	expect(await oracles.confirm(comparison, [])).toEqual([]);
	expect(oracles.runs()).toEqual([]);
});

test('the time limit begins when the checker has ended a check that nobody waits for', async () => {
	const comparison = await breaking();
	const late: boolean[] = [];
	const patienceMs = 20;
	let freed: Promise<void> | undefined;
	const free = () => {
		freed ??= setTimeout(10 * patienceMs);
		return freed;
	};
	const check = async (_tree: string, signal: AbortSignal) => {
		await free();
		late.push(signal.aborted);
		return {errors: [], covered: new Set<string>()};
	};
	const plugin = {
		...typescriptOracle,
		start: async () => ({version: '1', free, check, close: async () => {}}),
	};
	await open(comparison, plugin, patienceMs).confirm(comparison, []);
	expect(late[0]).toBe(false);
});

test('one that fails says why, changes nothing and is not asked again', async () => {
	const comparison = await breaking();
	let asked = 0;
	const oracles = open(comparison, {
		...typescriptOracle,
		start: async () => ({
			version: '1',
			check: () => {
				asked += 1;
				return Promise.reject(new Error('It crashed.'));
			},
			close: async () => {},
		}),
	});
	expect(await oracles.confirm(comparison, [])).toEqual([]);
	expect(await oracles.confirm(comparison, [])).toEqual([]);
	expect(asked).toBe(1);
	expect(oracles.runs()).toEqual([
		{name: 'TypeScript', version: '1', ms: 5, failed: expect.stringContaining('It crashed.')},
	]);
});

test('that its limits would be exceeded is told after one question, before the next checker starts', async () => {
	const comparison = await breaking();
	const order: string[] = [];
	const check = async (tree: string) => {
		order.push(tree === comparison.base ? 'asked of the base' : 'asked of more');
		throw new OverBudget({files: 9});
	};
	const limited = {
		...typescriptOracle,
		start: async () => ({version: '1', check, close: async () => {}}),
	};
	const start = async () => void order.push('the next one starts');
	const oracles = openOracles(
		{store: comparison.store, runsCode: false},
		{plugins: [limited, {...typescriptOracle, name: 'Other', start}], now: () => 0},
	);
	await oracles.confirm(comparison, [], {
		onVerdict: ({run}) => void order.push(`told: ${run.failed}`),
	});
	const told = 'told: 9 files would have to be read, more than the limit.';
	expect(order).toEqual(['asked of the base', told, 'the next one starts']);
});

test('one that can’t be started says why, and is started again for another budget', async () => {
	const comparison = await breaking();
	let started = 0;
	const start = async () => {
		started += 1;
		if (started === 1) {
			throw new Error('It is broken.');
		}

		const check = async () => ({errors: [], covered: new Set<string>()});
		return {version: '1', check, close: async () => {}};
	};
	const oracles = open(comparison, {...typescriptOracle, start});
	const {onVerdict, told} = toldBy();
	expect(await oracles.confirm(comparison, [], {onVerdict})).toEqual([]);
	await oracles.confirm(comparison, [], {onVerdict});
	expect(started).toBe(1);
	await oracles.confirm(comparison, [], {onVerdict, budget: {seconds: 60}});
	expect(told).toEqual(['It is broken.', 'It is broken.', undefined]);
	await oracles[Symbol.asyncDispose]();
});

test('one that hangs is given up, and more time is a matter of its budget only where it heeds one', async () => {
	const comparison = await breaking();
	const hanging: OraclePlugin = {
		...{name: 'Other', serves: () => true},
		start: async () => ({
			version: '1',
			check: (_, signal) =>
				new Promise((_resolve, reject) => {
					signal.addEventListener('abort', () => reject(signal.reason));
				}),
			close: async () => {},
		}),
	};
	const place = {store: comparison.store, runsCode: false, budget: () => ({seconds: 0.002})};
	const plugins = [hanging, {...hanging, name: 'TypeScript', heedsBudget: true} as const];
	const oracles = openOracles(place, {plugins, now: () => 0, patienceMs: 1});
	expect(await oracles.confirm(comparison, [])).toEqual([]);
	const common = {version: '1', ms: 0};
	expect(oracles.runs()).toEqual([
		{...common, name: 'Other', failed: 'It did not end within 0.001 s.'},
		{...common, name: 'TypeScript', failed: 'It did not end within 0.002 s.', isOverBudget: true},
	]);
});

test('one that never starts is waited for no longer than one that hangs', async () => {
	const comparison = await breaking();
	const start: OraclePlugin['start'] = (_, signal) =>
		new Promise((_resolve, reject) => {
			signal?.addEventListener('abort', () => reject(signal.reason));
		});
	const place = {store: comparison.store, runsCode: false};
	const never = {...typescriptOracle, patienceMs: 1, start};
	const oracles = openOracles(place, {plugins: [never], now: () => 0, patienceMs: 1});
	expect(await oracles.confirm(comparison, [])).toEqual([]);
	expect(oracles.runs()).toEqual([
		{
			...{name: 'TypeScript', version: '', ms: 0, isOverBudget: true},
			failed: 'It did not start within 0.001 s.',
		},
	]);
	await oracles[Symbol.asyncDispose]();
});

test('a comparison that nobody wants any more ends with its reason, and no checker is blamed', async () => {
	const comparison = await breaking();
	const oracles = open(comparison, typescriptOracle);
	const signal = AbortSignal.abort(new Error('Its tree is old.'));
	await expect(oracles.confirm({...comparison, signal}, [])).rejects.toThrow('Its tree is old.');
	expect(oracles.runs()).toEqual([]);
	await oracles[Symbol.asyncDispose]();
});

test('a checker that two ask at once holds one tree after the other', async () => {
	const comparison = await breaking();
	const log: string[] = [];
	const oracles = open(comparison, {
		name: 'Slow',
		serves: () => true,
		start: async () => ({
			version: '1',
			check: async tree => {
				log.push(`begins ${tree}`);
				await new Promise(resolve => setImmediate(resolve));
				log.push(`ends ${tree}`);
				return {errors: [], covered: new Set()};
			},
			close: async () => {},
		}),
	});
	const gone = AbortSignal.abort(new Error('given up'));
	const [, , given] = await Promise.allSettled([
		oracles.confirm(comparison, []),
		oracles.confirm({...comparison, merged: comparison.a.commit}, []),
		oracles.confirm({...comparison, signal: gone}, []),
	]);
	await oracles[Symbol.asyncDispose]();
	expect(given).toMatchObject({status: 'rejected', reason: new Error('given up')});
	const trees = log.filter((_, position) => position % 2 === 0).map(line => line.slice(7));
	expect(log).toEqual(trees.flatMap(tree => [`begins ${tree}`, `ends ${tree}`]));
	expect(new Set(trees)).toContain(comparison.merged);
});

/** A command that can say nothing when it is asked for the first time. */
const command = (asked: string[]): OraclePlugin => ({
	name: 'the command',
	runsTrees: true,
	serves: () => true,
	start: async () => ({
		version: '`check`',
		check: async tree => {
			asked.push(tree);
			if (asked.length === 1) {
				throw new Failure('internal', 'It failed and named no file with a line.');
			}

			return {errors: [], covered: new Set<string>()};
		},
		close: async () => {},
	}),
});

test('what runs code of the trees is not asked by whoever is in a hurry', async () => {
	const comparison = await breaking();
	const asked: string[] = [];
	const oracles = open(comparison, command(asked));
	const spoken: string[] = [];
	const onVerdict = ({run}: Confirmed) => void spoken.push(run.name);
	await oracles.confirm(comparison, [], {quick: true, onVerdict});
	expect([asked, spoken]).toEqual([[], []]);
	await oracles.confirm(comparison, [], {onVerdict});
	expect(spoken).toEqual(['the command']);
});

test('what it can’t say of a tree it is asked again, and what it has said is kept', async () => {
	const comparison = await breaking();
	const asked: string[] = [];
	const oracles = open(comparison, command(asked));
	const failed: (string | undefined)[] = [];
	const onVerdict = ({run}: Confirmed) => void failed.push(run.failed);
	await oracles.confirm(comparison, [], {onVerdict});
	await oracles.confirm(comparison, [], {onVerdict});
	await oracles.confirm({...comparison, base: comparison.a.commit}, [], {onVerdict});
	expect(failed).toEqual(['It failed and named no file with a line.', undefined, undefined]);
	const {base, merged, a} = comparison;
	expect(asked).toEqual([base, base, merged, a.commit]);
});

test('a checker of a language in which nothing is written there is not asked, whatever else says how it is read', async () => {
	const settings = (name: string) => ({
		'package.json': `{"name": "${name}"}\n`,
		[`${name}.md`]: '',
	});
	const runsIn = async (files: Files) => {
		const comparison = await compared(
			{'package.json': '{}\n', 'x.md': '', ...files},
			settings('one'),
			settings('one'),
		);
		const asked: string[] = [];
		const plugin = {
			...{name: 'a checker', serves: (path: string) => path.endsWith('.lang')},
			start: async () => ({
				version: '1',
				check: async (tree: string) => {
					asked.push(tree);
					return {errors: [], covered: new Set<string>()};
				},
				close: async () => {},
			}),
		};
		await using oracles = open(comparison, plugin);
		await oracles.confirm(comparison, []);
		return [asked.length > 0, oracles.runs().length];
	};
	expect(await runsIn({})).toEqual([false, 0]);
	expect(await runsIn({'a.lang': 'x\n'})).toEqual([true, 1]);
});
