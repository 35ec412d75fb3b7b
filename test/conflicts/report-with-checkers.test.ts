import {expect, test} from 'vitest';
import {openOracles} from '../../src/conflicts/oracle/open-oracles.ts';
import {typescript} from '../../src/conflicts/oracle/typescript/typescript.ts';
import {blocks, report} from '../../src/conflicts/report.ts';
import {twoSides} from '../helpers/two-sides.ts';

test('a report names the checkers, what they confirmed, and what was red before anybody changed it', async () => {
	const {store, a, b} = await twoSides({
		base: {
			'add.ts': 'export const add = (a: number) => a;\n',
			'use.ts': 'export {};\n',
			'old.ts': 'export const old: string = 1;\n',
		},
		a: {'add.ts': 'export const add = (a: number, b: number) => a + b;\n'},
		b: {'use.ts': "import {add} from './add.ts';\nadd(3);\n"},
	});
	const inputs = [
		{name: 'a', commit: a},
		{name: 'b', commit: b},
	];
	const oracles = openOracles(
		{store, runsCode: false},
		{plugins: [typescript], now: () => 0, patienceMs: 60_000},
	);
	try {
		const {signal} = new AbortController();
		const found = await report(store, inputs, {
			settings: {checkout: undefined, config: {}},
			signal,
			oracles,
		});
		expect(blocks(found)).toBe(true);
		expect(found.pairs[0]?.clean).toBe(true);
		expect(found.pairs[0]?.conflicts.map(({confirmed}) => confirmed?.text)).toContain(
			'TS2554: Expected 2 arguments, but got 1.',
		);
		expect(found.oracles).toMatchObject([{name: 'TypeScript', ms: 0}]);
		expect(found.target.red).toEqual([
			{
				file: 'old.ts',
				line: 1,
				text: "TS2322: Type 'number' is not assignable to type 'string'.",
			},
		]);
	} finally {
		await oracles[Symbol.asyncDispose]();
	}
});
